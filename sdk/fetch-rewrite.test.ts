import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject, type JsonValue } from './engine/json.ts'
import { itemsAt, membersOf } from './fetch-json-ranges.ts'
import { rewriteJson } from './fetch-rewrite.ts'

/** JSON text with spaces wherever they may be, and characters of strings escaped or not. */
function looseJson(value: unknown, next: () => number): string {
  const space = () => ['', ' ', '\n\t', '\r\n  '][next() % 4] ?? ''
  const text = (plain: string) =>
    next() % 2 === 0
      ? JSON.stringify(plain)
      : `"${[...plain].map((sign) => (sign.length === 1 ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}` : sign)).join('')}"`
  const write = (inner: unknown): string => {
    if (typeof inner === 'string') return text(inner)
    if (Array.isArray(inner))
      return `[${space()}${inner.map((item) => write(item) + space()).join(`,${space()}`)}]`
    if (isObject(inner))
      return `{${space()}${Object.entries(inner)
        .map(([key, item]) => `${text(key)}${space()}:${space()}${write(item)}${space()}`)
        .join(`,${space()}`)}}`
    return JSON.stringify(inner)
  }
  return space() + write(value) + space()
}

const plain = fc.jsonValue({ maxDepth: 3 })
const tricky = fc.constantFrom<JsonValue>('"', '\\', '\\"', '[{', '}],', 'a"b\\', '\u2028', '', -0.5e10)
const values = fc.oneof(plain, tricky, fc.array(fc.oneof(plain, tricky), { maxLength: 5 }))
const keys = fc.oneof(
  fc.constantFrom('messages', 'model', 'a"b', '__proto__', '\\', '0', 'constructor'),
  fc.string(),
)
const bodies = fc.array(fc.tuple(keys, values), { maxLength: 6 })
const spaces = fc.infiniteStream(fc.nat(3))

function loose(value: unknown, stream: Iterator<number>): string {
  return looseJson(value, () => stream.next().value ?? 0)
}

describe('ranges of a JSON text', () => {
  it('hold exactly the members of the object and the items of its lists (seed 11)', () => {
    fc.assert(
      fc.property(bodies, spaces, (entries, stream) => {
        const body: JsonObject = Object.fromEntries(entries) as JsonObject
        const text = loose(body, stream)
        expect(membersOf(text).map(({ key }) => key)).toEqual(Object.keys(body))
        for (const { key, start, value } of membersOf(text)) {
          const own = text.slice(value.start, value.end)
          expect(JSON.parse(own)).toEqual(body[key])
          expect(own).toBe(own.trim())
          expect(JSON.parse(`{${text.slice(start, value.end)}}`)).toEqual({ [key]: body[key] })
          const item = body[key]
          if (!Array.isArray(item)) continue
          const ranges = itemsAt(text, value.start).map(({ start: from, end }) => text.slice(from, end))
          expect(ranges.map((range) => JSON.parse(range))).toEqual(item)
          expect(ranges.map((range) => range.trim())).toEqual(ranges)
        }
      }),
      { seed: 11, numRuns: 500 },
    )
  })
})

describe('a changed body', () => {
  it('[R15] is what was changed, with every other value as the text had it (seed 12)', () => {
    const fate = fc.infiniteStream(fc.nat(4))
    fc.assert(
      fc.property(bodies, spaces, fate, values, (entries, stream, fates, added) => {
        const text = loose(Object.fromEntries(entries), stream)
        const was: JsonObject = JSON.parse(text)
        const kept: string[] = []
        const changed = Object.entries(was).flatMap(([key, value]): [string, JsonValue][] => {
          const next = fates.next().value ?? 0
          if (next === 0) return []
          if (next > 1 || !Array.isArray(value)) {
            const member = membersOf(text).find((each) => each.key === key)
            kept.push(text.slice(member?.start, member?.value.end))
            return [[key, value as JsonValue]]
          }
          const items = value.filter(() => (fates.next().value ?? 0) > 1)
          return [[key, [...items, added as JsonValue, { new: 1 }]]]
        })
        const now = Object.fromEntries([...changed, ['added to it', added]]) as JsonObject
        const rewritten = rewriteJson(text, was, now)
        expect(JSON.parse(rewritten)).toEqual(JSON.parse(JSON.stringify(now)))
        for (const member of kept) expect(rewritten).toContain(member)
      }),
      { seed: 12, numRuns: 500 },
    )
  })

  it('copies a message that stayed to the byte, whatever JSON.stringify would make of it', () => {
    const message =
      '{ "role":"user", "content":"caf\\u00e9 \\/ 1", "seed": 12345678901234567890, "t": 1.0e0 }'
    const text = `{"temperature": 1.0, "messages": [ {"role":"system"}, ${message} ,{"role":"user"}], "n":1}`
    const was: JsonObject = JSON.parse(text)
    const list = was.messages as readonly JsonValue[]
    const rewritten = rewriteJson(text, was, { ...was, messages: [{ note: 1 }, list[1] ?? null] })
    expect(rewritten).toBe(`{"temperature": 1.0,"messages": [{"note":1},${message}],"n":1}`)
  })

  it('takes the last of a key that comes twice, as every parser does', () => {
    const text = '{"a":1,"b":2,"a":[3]}'
    expect(rewriteJson(text, JSON.parse(text), { ...JSON.parse(text), b: 4 })).toBe('{"a":[3],"b":4}')
  })

  it('is found in time that grows with the text, even where it is all backslashes', () => {
    const text = JSON.stringify({
      messages: [{ content: '\\'.repeat(300_000) }, { content: '"'.repeat(300_000) }],
    })
    const was: JsonObject = JSON.parse(text)
    expect(rewriteJson(text, was, { ...was, messages: [...(was.messages as JsonValue[])] })).toBe(text)
  })
})
