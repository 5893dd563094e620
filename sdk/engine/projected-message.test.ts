import { describe, expect, it } from 'vitest'
import { anthropic } from '../wire/anthropic/index.ts'
import { ownName } from './digest.ts'
import { understand } from './intake.ts'
import { isObject, type JsonObject, type JsonValue } from './json.ts'
import { type MessageProjection, projectedMessage, rulesUnder } from './projected-message.ts'

const text = (said: string): JsonObject => ({ type: 'text', text: said })

function messageOf(...contents: readonly JsonValue[]) {
  const content = contents.map((result, at) => ({
    type: 'tool_result',
    tool_use_id: `${at}`,
    content: result,
  }))
  return understand(JSON.stringify({ role: 'user', content }), anthropic, ownName)
}

function options(change: Partial<MessageProjection> = {}): MessageProjection {
  return {
    wire: anthropic,
    first: 7,
    rules: { contextTool: 'context' },
    copies: new Map(),
    bounds: new Map(),
    ...change,
  }
}

const bound = (maxChars: number) => options({ rules: { contextTool: 'context', maxChars } })

/** What is sent in the place of each result. */
function contents(message: JsonValue): readonly string[] {
  const blocks = isObject(message) && Array.isArray(message.content) ? message.content : []
  return blocks.map((block: JsonValue) => JSON.stringify(isObject(block) ? block.content : null))
}

describe('a message whose results are bound', () => {
  it('[R163, R164] is cut only where it is longer, and is itself where nothing is', () => {
    const known = messageOf('a'.repeat(3000), 'b'.repeat(1024))
    const { message, unfit } = projectedMessage(known, bound(1024))
    const [first = '', second] = contents(message)
    expect(first.length).toBeLessThan(1100)
    expect(second).toBe(JSON.stringify('b'.repeat(1024)))
    expect(unfit).toEqual([])
    expect(projectedMessage(known, bound(3000)).message).toBeNull()
    expect(projectedMessage(known, options()).message).toBeNull()
  })

  it('[R181, R190] is cut from the original for each bound, whatever it was cut to before', () => {
    const known = messageOf('a'.repeat(5000))
    const under = (maxChars: number) => JSON.stringify(projectedMessage(known, bound(maxChars)).message)
    const fresh = (maxChars: number) =>
      JSON.stringify(projectedMessage(messageOf('a'.repeat(5000)), bound(maxChars)).message)
    for (const maxChars of [4000, 1024, 2000, 3000, 1500, 1024, 4000])
      expect(under(maxChars)).toBe(fresh(maxChars))
    expect(projectedMessage(known, bound(1024)).name).not.toBe(projectedMessage(known, bound(2000)).name)
  })

  it('[R181, R186] tells apart what copies keep of several bodies', () => {
    const known = messageOf([text('a'.repeat(3000)), text('b'.repeat(3000))])
    const kept = (...allowance: readonly (number | null)[]) =>
      contents(projectedMessage(known, options({ copies: new Map([[0, { kept: allowance }]]) })).message)
    const [one, other] = [kept(120, 1300), kept(1201, 300)]
    expect(one).not.toEqual(other)
    expect(kept(1200, null)[0]).toContain('b'.repeat(3000))
    expect(kept(null, null)).toEqual([])
  })

  it('[R335] says of a result that was cleared what it came to, under the rules of its own', () => {
    const known = messageOf('a'.repeat(3000), 'b'.repeat(3000))
    const copies = (cleared: boolean) =>
      new Map([[1, { kept: [0], ...(cleared ? { cleared: true as const } : {}) }]])
    const shown = (change: Partial<MessageProjection>) => projectedMessage(known, options(change))
    const cleared = shown({ copies: copies(true) })
    const text = (limit: number) =>
      `"[Older tool result cleared: 3000 characters. context(action=\\"read_result\\", index=8, offset=0, limit=${limit})]"`
    expect(contents(cleared.message)).toEqual([JSON.stringify('a'.repeat(3000)), text(3000)])
    expect(cleared.unfit).toEqual([])
    const unfit = shown({ copies: copies(false) })
    expect(unfit.message).toBeNull()
    expect(unfit.name).not.toBe(cleared.name)
    const bounded = (bounds: MessageProjection['bounds']) =>
      contents(
        shown({ copies: copies(true), bounds, rules: { contextTool: 'context', maxChars: 2000 } }).message,
      )
    expect(bounded(new Map())[0]).toContain('omitted')
    expect(bounded(new Map())[1]).toBe(text(2000))
    expect(bounded(new Map([[1, 1024]]))[1]).toBe(text(1024))
    expect(bounded(new Map([[1, null]]))[1]).toBe(text(3000))
  })

  it('says by which index the rest of each result is read', () => {
    const [first, second] = contents(
      projectedMessage(messageOf('a'.repeat(3000), 'b'.repeat(3000)), bound(1024)).message,
    )
    expect(first).toContain('index=7,')
    expect(second).toContain('index=8,')
  })

  it('[R272] has another bound, or none, for a result that goes on with its own', () => {
    const known = messageOf('a'.repeat(3000), 'b'.repeat(3000))
    const own = (limit: number | null) =>
      contents(projectedMessage(known, { ...bound(1024), bounds: new Map([[1, limit]]) }).message).map(
        ({ length }) => length,
      )
    const [cut = 0] = own(null)
    expect(own(null)).toEqual([cut, 3002])
    const [, wider = 0] = own(2000)
    expect(wider).toBeGreaterThan(1900)
    expect(wider).toBeLessThan(2100)
    expect(cut).toBeLessThan(1100)
  })

  it('[R188] names the results that nothing brings under the bound', () => {
    expect(projectedMessage(messageOf('short', 'a'.repeat(3000)), bound(40)).unfit).toEqual([1])
  })
})

describe('[R272] the rules of a result', () => {
  it('are those in force, those with its own bound, or those without any', () => {
    const rules = { contextTool: 'context', maxChars: 4000 }
    expect(rulesUnder(undefined, rules)).toBe(rules)
    expect(rulesUnder(1024, rules)).toEqual({ contextTool: 'context', maxChars: 1024 })
    expect(rulesUnder(null, rules)).toStrictEqual({ contextTool: 'context' })
  })
})
