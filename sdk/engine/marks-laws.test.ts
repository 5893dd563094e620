import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cacheMarks } from '../wire/anthropic/marks.ts'
import { lint } from '../wire/anthropic/rules.ts'
import type { CacheLifetime, WireMessage } from './format.ts'
import type { KnownField } from './intake.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { placeMarks } from './marks.ts'

const mark = fc.constantFrom<JsonObject | undefined>(
  undefined,
  undefined,
  undefined,
  { type: 'ephemeral' },
  { type: 'ephemeral', ttl: '1h' },
)
const blocks: readonly JsonObject[] = [
  { type: 'text', text: 'words' },
  { type: 'text', text: ' ' },
  { type: 'tool_use', id: 'a', name: 'look', input: {} },
  { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
]
const mayBeMarked = (block: JsonObject): boolean => block.type !== 'thinking' && block.text !== ' '
const block = fc
  .tuple(fc.constantFrom(...blocks), mark)
  .map(([plain, cache_control]) =>
    cache_control && mayBeMarked(plain) ? { ...plain, cache_control } : plain,
  )
const message = fc
  .array(block, { minLength: 1, maxLength: 3 })
  .map((content): JsonObject => ({ role: 'assistant', content }))
const request = fc.record({
  tools: fc
    .tuple(mark, mark)
    .map((marks) =>
      marks.map(
        (cache_control, at): JsonObject => ({ name: `tool${at}`, ...(cache_control && { cache_control }) }),
      ),
    ),
  system: mark.map((cache_control) => [
    { type: 'text', text: 'Look.', ...(cache_control && { cache_control }) },
  ]),
  messages: fc.array(message, { minLength: 1, maxLength: 6 }),
  anchors: fc.array(fc.nat(5), { maxLength: 2 }),
  endMark: fc.constantFrom<CacheLifetime | null>(null, null, '5m', '1h'),
})

type Asked = typeof request extends fc.Arbitrary<infer Value> ? Value : never

function placed({ tools, system, messages, anchors, endMark }: Asked): JsonObject {
  const value = (key: 'system' | 'tools', snapshot: JsonValue): KnownField => ({
    type: 'value',
    key,
    part: key,
    snapshot,
    json: JSON.stringify(snapshot),
  })
  const sent = messages.map(
    (snapshot, index): WireMessage => ({ native: snapshot, snapshot, indexes: [index, index, index, index] }),
  )
  const marked = placeMarks({
    marks: cacheMarks,
    fields: [value('system', system), { type: 'messages', key: 'messages' }, value('tools', tools)],
    leading: [],
    messages: sent,
    anchors: anchors.filter((at) => at < messages.length).map((position) => ({ position, draft: 3 })),
    endMark,
  })
  const [first, , last] = marked.fields
  return {
    ...(first?.type === 'value' ? { system: first.snapshot } : {}),
    ...(last?.type === 'value' ? { tools: last.snapshot } : {}),
    messages: marked.messages.map(({ snapshot }) => snapshot),
    ...endOf(endMark),
  }
}

function endOf(endMark: CacheLifetime | null): JsonObject {
  return endMark === null ? {} : { cache_control: { type: 'ephemeral', ttl: endMark } }
}

function marksOf(sent: JsonObject): readonly string[] {
  return [...JSON.stringify(sent).matchAll(/"cache_control":\{[^}]*\}/g)].map(([found]) => found)
}

function faultsOf(sent: JsonObject): readonly string[] {
  return lint({ model: 'm', ...sent })
    .map(({ rule }) => rule)
    .filter((rule) => rule.includes('cache_mark'))
}

it('breaks no rule that the marks of the app do not break, adds to four at most, and takes none away (seed 61)', () => {
  fc.assert(
    fc.property(request, (asked) => {
      const own: JsonObject = {
        tools: asked.tools,
        system: asked.system,
        messages: asked.messages,
        ...endOf(asked.endMark),
      }
      const sent = placed(asked)
      expect(faultsOf(sent)).toEqual(faultsOf(own))
      expect(marksOf(sent).length).toBeLessThanOrEqual(Math.max(4, marksOf(own).length))
      // Every value is the app's own, or it with marks beside its own.
      const without = (value: JsonValue | undefined): string =>
        JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner))
      expect(without(sent.messages)).toBe(without(own.messages))
      expect([without(sent.system), without(sent.tools)]).toEqual([without(own.system), without(own.tools)])
      const flat = (value: JsonValue | undefined): readonly (JsonValue | undefined)[] =>
        (value as readonly JsonObject[]).flatMap(({ content, ...rest }) => [
          rest.cache_control,
          ...(content ? flat(content) : []),
        ])
      for (const key of ['tools', 'system', 'messages']) {
        const after = flat(sent[key])
        for (const [at, before] of flat(own[key]).entries()) if (before) expect(after[at]).toEqual(before)
      }
    }),
    { seed: 61, numRuns: 2000 },
  )
})

it('leaves nothing to add: placed once more, every mark stands where it stood (seed 67)', () => {
  fc.assert(
    fc.property(request, (asked) => {
      const { tools, system, messages } = placed(asked) as unknown as Asked
      expect(placed({ ...asked, tools, system, messages })).toEqual(placed(asked))
    }),
    { seed: 67, numRuns: 1000 },
  )
})
