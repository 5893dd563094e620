/**
 * The parts of the product and the files that belong to each, first match wins. `entry` is what composes the
 * other parts for the outside, `integration` what fits them to another library, `session` every other file at the top
 * of sdk/.
 */
const parts = {
  engine: /^sdk\/engine\//,
  wire: /^sdk\/wire\//,
  tokenizer: /^sdk\/tokenizer\//,
  stores: /^sdk\/stores\//,
  models: /^sdk\/models\//,
  transcript: /^sdk\/transcript\//,
  testing: /^sdk\/(testing|clients)\//,
  ports: /^sdk\/ports\.ts$/,
  errors: /^sdk\/errors\.ts$/,
  platform: /^sdk\/next-task\.ts$/,
  events: /^sdk\/events\.ts$/,
  branch: /^sdk\/branch\.ts$/,
  integration: /^sdk\/(ai-sdk|react)(-[^/]+)?\.ts$/,
  entry: /^sdk\/(index|dogear|tokenizer|testing)\.tsx?$/,
  session: /^sdk\/(session\/)?[^/]+$/,
  panel: /^panel\//,
  demo: /^demo\//,
  e2e: /^e2e\//,
} as const

export type Part = keyof typeof parts

const names = Object.keys(parts) as Part[]

const contracts: readonly Part[] = ['ports', 'errors', 'events', 'branch']
const leaf: readonly Part[] = ['engine', 'ports', 'errors']
const sdk = names.filter((name) => name !== 'panel' && name !== 'demo' && name !== 'e2e')

/** Which other parts a part may import. Tests, benchmarks and generators are free of it. */
export const mayImport: Readonly<Record<Part, readonly Part[]>> = {
  engine: [],
  wire: leaf,
  tokenizer: [...leaf, 'platform'],
  stores: leaf,
  models: leaf,
  transcript: [...leaf, 'wire'],
  ports: ['engine', ...contracts],
  errors: ['engine', ...contracts],
  platform: [],
  events: ['engine', ...contracts],
  branch: ['engine', ...contracts],
  session: ['engine', 'wire', ...contracts, 'platform'],
  testing: sdk,
  integration: ['engine', 'wire', ...contracts, 'session', 'entry'],
  // An app that has no such library imports them too.
  entry: sdk.filter((name) => name !== 'integration'),
  panel: sdk,
  demo: [],
  e2e: [],
}

/** @returns undefined for what is not the product: tools and configuration */
export function partOf(path: string): Part | undefined {
  return names.find((name) => parts[name].test(path))
}

/** The files behind the names that package.json exports. */
export function isPublicEntry(path: string): boolean {
  return /^(sdk\/(index|ai-sdk|react|tokenizer|testing)|panel\/(index|production))\.tsx?$/.test(path)
}
