import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NativeMessage, ReportedUsage, WireFormat } from '../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'
import { hostileRequests } from './contract-hostile.ts'
import { type ListedRequest, listRequest, roundsOf, withoutEntries } from './contract-lists.ts'
import { detectFormat } from './detect.ts'

export interface WireFixture {
  readonly name: string
  /** A request of the format, with rounds of calls in it. */
  readonly request: JsonObject
  /** Strings in it that must never be counted as text. */
  readonly opaque: readonly string[]
  /** Rules that it breaks, for what a provider of some later time may bring. */
  readonly breaks?: readonly string[]
}

export interface WireExamples {
  readonly format: WireFormat
  readonly fixtures: readonly WireFixture[]
  /** Two ways to write one message: they must match. */
  readonly same: readonly (readonly [what: string, left: NativeMessage, right: NativeMessage])[]
  /** Two messages that must not match. */
  readonly different: readonly (readonly [what: string, left: NativeMessage, right: NativeMessage])[]
  /** Responses and what they report, `raw` left out; null where they report nothing. */
  readonly usage: readonly (readonly [
    what: string,
    response: unknown,
    usage: Omit<ReportedUsage, 'raw'> | null,
  ])[]
  /** Requests that break one rule each, and where. */
  readonly faults: readonly (readonly [rule: string, path: string, request: JsonObject])[]
}

const note = 'Record kept by the app: calls were folded here.'

/** What every wire format must do. Runs under Vitest. */
export function describeWireFormat(name: string, examples: WireExamples): void {
  const { format } = examples
  describe(`${name} as a wire format`, () => {
    describe.each(examples.fixtures)('$name', ({ request: fixture, opaque, breaks = [] }) => {
      const request = frozen(fixture)
      const list = listRequest(format, request)
      describeReading(format, request, list, opaque)
      describeWriting(format, request, list)

      it('is recognised, and breaks no rule but those it is made to break', () => {
        expect(detectFormat(request)?.format).toBe(format.format)
        expect(brokenRules(format, request)).toEqual(breaks)
      })
    })

    it.each(examples.same)('matches %s', (_what, left, right) => {
      expect(matchTexts(format, left)).toEqual(matchTexts(format, right))
    })

    it.each(examples.different)('tells apart %s', (_what, left, right) => {
      expect(matchTexts(format, left)).not.toEqual(matchTexts(format, right))
    })

    it.each(examples.usage)('[R32, R38] reads usage of %s', (_what, response, usage) => {
      const reported = format.readUsage(response)
      if (usage === null) expect(reported).toBeNull()
      else expect(reported).toEqual({ ...usage, raw: reported?.raw })
    })

    it.each(examples.faults)('finds %s at %s', (rule, path, request) => {
      const faults = format.lint(frozen(request))
      expect(faults.map((fault) => [fault.rule, fault.path])).toEqual([[rule, path]])
    })

    it.each(hostileRequests)('answers %s without throwing', (_what, request) => {
      expect(() => {
        format.recognises(request)
        format.lint(request)
        const outcome = format.read(request)
        const messages = outcome.type === 'read' ? outcome.request.messages : []
        for (const message of messages) format.readMessage(message)
      }).not.toThrow()
    })

    it.each(hostileRequests)('reads no usage from %s', (_what, request) => {
      expect(format.readUsage(request)).toBeNull()
    })
  })
}

function describeReading(
  format: WireFormat,
  request: JsonObject,
  list: ListedRequest,
  opaque: readonly string[],
): void {
  it('[R27] is taken apart without copying, its counted keys in counting order', () => {
    const { fields, leading, messages } = list.read
    const values = fields.flatMap((field) => (field.type === 'value' ? [field] : []))
    for (const field of values) expect(field.value).toBe(settingOf(request, field.key))
    expect(fields).toHaveLength(values.length + 1)
    const [listKey] = fields.flatMap((field) => (field.type === 'messages' ? [field.key] : []))
    const own = request[listKey ?? '']
    // A message may be a run of the list's items.
    const items = [...leading, ...messages].flat()
    expect(items).toHaveLength(Array.isArray(own) ? own.length : 1)
    for (const [position, item] of items.entries())
      expect(item).toBe(Array.isArray(own) ? own[position] : own)
    const positions = fields.map((field) => countingOrder.indexOf(field.key)).filter((at) => at >= 0)
    expect(positions).toEqual([...positions].sort((left, right) => left - right))
  })

  it('is counted as its JSON text without media and opaque fields', () => {
    for (const message of [...list.read.leading, ...list.read.messages]) {
      const text = format.readMessage(message).segments.map((segment) => segment.text)
      expect(text.join('')).toBe(listedJson(message, (value) => opaque.includes(value)))
    }
  })

  it('gives every stretch of text to a draft of its message', () => {
    for (const message of list.read.messages) {
      const { drafts, segments } = format.readMessage(message)
      const owners = new Set(segments.map((segment) => segment.owner))
      expect([...drafts.keys()]).toEqual(expect.arrayContaining([...owners]))
      // Where calls are items by themselves, an answer that says nothing has nothing of its own.
      for (const [ordinal, { kind, text }] of drafts.entries())
        if (!owners.has(ordinal)) expect([kind, text]).toEqual(['answer', ''])
    }
  })

  it('reads results before an instruction, and one answer before its calls', () => {
    for (const message of list.read.messages) {
      const kinds = format.readMessage(message).drafts.map((draft) => draft.kind)
      expect(kinds.join(' ')).toMatch(/^(answer( call)*|(result ?)*(instruction)?|system)$/)
    }
  })
}

function describeWriting(format: WireFormat, request: JsonObject, list: ListedRequest): void {
  const { model } = list.read
  const written = (gone: ReadonlySet<number>, text?: string): WrittenRequest => {
    const { items, changedFrom } = withoutEntries(list, gone, text)
    const { messages } = format.compose(items, { model, changedFrom })
    return { items, changedFrom, messages, request: format.write(request, list.read, natives(messages)) }
  }

  const known = brokenRules(format, request)
  const faultsAdded = (changed: JsonObject): readonly string[] =>
    brokenRules(format, changed).filter((rule) => !known.includes(rule))

  it('[R15] comes back byte for byte, every value the very one that came in', () => {
    const back = written(new Set())
    expect(JSON.stringify(back.request)).toBe(JSON.stringify(request))
    expect(natives(back.messages)).toEqual(list.read.messages)
    for (const [position, { native }] of back.messages.entries())
      expect(native).toBe(list.read.messages[position])
    for (const field of list.read.fields)
      if (field.type === 'value') expect(settingOf(back.request, field.key)).toBe(field.value)
  })

  it('stays sound without any of its rounds (seed 41)', () => {
    fc.assert(
      fc.property(fc.subarray([...roundsOf(list)]), fc.boolean(), (rounds, withNote) => {
        const gone = new Set(
          list.entries.filter(({ round }) => rounds.includes(round)).map(({ index }) => index),
        )
        expect(faultsAdded(written(gone, withNote ? note : undefined).request)).toEqual([])
      }),
      { seed: 41, numRuns: 200 },
    )
  })

  it('stays sound without any of its calls and their results, but for the newest (seed 43)', () => {
    const newest = roundsOf(list).at(-1)
    const calls = list.entries.filter(({ draft, round }) => draft.kind === 'call' && round !== newest)
    fc.assert(
      fc.property(fc.subarray(calls), (chosen) => {
        const gone = new Set(chosen.flatMap((call) => unitOf(list, call.index)))
        expect(faultsAdded(written(gone).request)).toEqual([])
      }),
      { seed: 43, numRuns: 200 },
    )
  })

  it('names the record index of every draft it writes (seed 47)', () => {
    fc.assert(
      fc.property(fc.subarray([...list.entries.keys()]), fc.boolean(), (left, withNote) => {
        const result = written(new Set(left), withNote ? note : undefined)
        // What belongs to no entry is said once, where the provider would not do without.
        for (const message of result.messages.filter(({ indexes }) => indexes.length > 0)) {
          expect(JSON.stringify(message.native)).toBe(JSON.stringify(message.snapshot))
          const { drafts } = format.readMessage(message.snapshot)
          expect(message.indexes).toHaveLength(drafts.length)
          for (const [ordinal, index] of message.indexes.entries()) {
            const draft = drafts[ordinal]
            const original = list.entries[index]?.draft
            if (original === undefined) expect(draft?.text).toBe(note)
            else if (original.kind === 'answer' && left.includes(index)) expect(draft?.text).toBe('')
            else expect(draft?.matchText).toBe(original.matchText)
          }
        }
      }),
      { seed: 47, numRuns: 200 },
    )
  })

  it('[R258] keeps a note an entry of its own, and its neighbours as they are', () => {
    for (const round of roundsOf(list)) {
      const gone = new Set(list.entries.filter((entry) => entry.round === round).map(({ index }) => index))
      const { messages } = written(gone, note)
      const holders = messages.filter(({ indexes }) => indexes.includes(list.entries.length))
      expect(holders).toHaveLength(1)
      const texts = JSON.stringify(messages.map(({ native }) => native)).split(note)
      expect(texts).toHaveLength(2)
    }
  })

  it('leaves what stands before the first change untouched', () => {
    for (const round of roundsOf(list)) {
      const gone = new Set(list.entries.filter((entry) => entry.round === round).map(({ index }) => index))
      const { items, changedFrom, messages } = written(gone)
      for (const item of items.slice(0, changedFrom ?? 0))
        if (item.type === 'message') expect(natives(messages)).toContain(item.native)
    }
  })
}

interface WrittenRequest {
  readonly items: ReturnType<typeof withoutEntries>['items']
  readonly changedFrom: number | null
  readonly messages: ReturnType<WireFormat['compose']>['messages']
  readonly request: JsonObject
}

const countingOrder = [
  'system',
  'instructions',
  'systemInstruction',
  'messages',
  'input',
  'contents',
  'prompt',
  'tools',
  'functions',
  'response_format',
]

/** A call of the list and the results that answer it. */
function unitOf(list: ListedRequest, index: number): readonly number[] {
  const call = list.entries[index]
  return list.entries
    .filter(
      ({ draft, round }) =>
        draft.kind === 'result' && round === call?.round && draft.callId === call.draft.callId,
    )
    .map((entry) => entry.index)
    .concat(index)
}

/** A message's JSON text as it stands in the list: a run of items has no brackets there. */
export function listedJson(message: NativeMessage, isOpaque: (value: string) => boolean): string {
  const items: readonly NativeMessage[] = Array.isArray(message) ? message : [message]
  return items
    .map((item) =>
      JSON.stringify(item, (_key, value) => (typeof value === 'string' && isOpaque(value) ? '' : value)),
    )
    .join(',')
}

/** What a request sets at its top, or in the object where some clients and formats keep such things. */
function settingOf(request: JsonObject, key: string): JsonValue | undefined {
  const holders = [request, request.config, request.generationConfig, request.generation_config].filter(
    isObject,
  )
  const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return holders.map((holder) => holder[key] ?? holder[snake]).find((value) => value !== undefined)
}

function brokenRules(format: WireFormat, request: JsonObject): readonly string[] {
  return format.lint(request).map((fault) => fault.rule)
}

function natives(messages: readonly { readonly native: NativeMessage }[]): readonly NativeMessage[] {
  return messages.map(({ native }) => native)
}

function matchTexts(format: WireFormat, message: NativeMessage): readonly string[] {
  return format.readMessage(frozen(message)).drafts.map((draft) => draft.matchText)
}

/** Nothing that an app handed over may be changed. */
function frozen<Value extends NativeMessage>(value: Value): Value {
  if (Array.isArray(value)) for (const item of value) frozen(item)
  else if (isObject(value)) for (const item of Object.values(value)) if (item !== undefined) frozen(item)
  return Object.freeze(value)
}
