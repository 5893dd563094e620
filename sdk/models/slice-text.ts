import type { ModelSlice, SliceModel } from './slice.ts'

/** The module that holds the slice: one line for each model, so that a change of the data reads as one. */
export function sliceText({ revision, providers }: ModelSlice): string {
  const lines = Object.entries(providers).flatMap(([provider, models]) => [
    `    ${key(provider)}: [`,
    ...models.map((model) => `      ${literal(inOrder(model))},`),
    '    ],',
  ])
  return [
    '// Made by `npm run generate:models`. Not to be edited: what the price data lacks stands in overlay.ts.',
    "import type { ModelSlice } from './slice.ts'",
    '',
    'export const slice: ModelSlice = {',
    `  revision: '${revision}',`,
    '  providers: {',
    ...lines,
    '  },',
    '}',
    '',
  ].join('\n')
}

function inOrder({ model, contextWindow, inputLimit, tiers, aliases }: SliceModel) {
  return { model, contextWindow, inputLimit, tiers, aliases }
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const known = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return `{ ${known.map(([name, inner]) => `${key(name)}: ${literal(inner)}`).join(', ')} }`
}

function key(name: string): string {
  return /^[a-z]\w*$/i.test(name) ? name : `'${name}'`
}
