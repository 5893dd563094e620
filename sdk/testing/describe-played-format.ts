import { describe, expect, it } from 'vitest'
import type { Outcome } from '../branch.ts'
import type { Format } from '../engine/format.ts'
import type { JsonObject } from '../engine/json.ts'
import { lintRequest } from '../lint-request.ts'
import { memoryStore } from '../stores/memory.ts'
import { loadTokenizer } from '../tokenizer.ts'
import { makeConversation, requestAt } from './conversation.ts'
import { openTestBranch } from './open-branch.ts'
import { playRequest } from './play-at-random.ts'

export interface FormatToPlay {
  readonly format: Format
  /** As it is said in a title: `in Gemini`. */
  readonly spoken: string
  readonly seed: number
  /** Ceilings, as parts of the size of the whole conversation. */
  readonly parts: readonly number[]
  /** The ways in which an app may write the same Chat request in this format, by name. */
  readonly ways: Readonly<Record<string, (chat: JsonObject) => JsonObject>>
  /** How a request ends, where nothing is reported. */
  readonly nothingReported?: Outcome
}

export interface PlayedFormat {
  /** Every request of the conversation, in the first way. */
  readonly requests: readonly JsonObject[]
  /** The same in another one. */
  readonly requestsIn: (way: string) => readonly JsonObject[]
  readonly whole: JsonObject
  readonly sizeOfWhole: number
}

export const summarize = async (): Promise<string> => 'Notes were read and compared; nothing was missing.'

const { countRequest } = await loadTokenizer()

/** A conversation of twenty rounds, and what must hold of it in any format under any ceiling. Runs under Vitest. */
export function describePlayedFormat(played: FormatToPlay): PlayedFormat {
  const { format, spoken, seed, ways, nothingReported = { usage: null } } = played
  const conversation = makeConversation({
    seed,
    format: 'openai-chat',
    rounds: 20,
    resultWords: 2_000,
    contextTool: true,
  })
  const names = Object.keys(ways)
  const wayOf = (name: string | undefined): ((chat: JsonObject) => JsonObject) => {
    const way = ways[name ?? '']
    if (way === undefined) throw new TypeError(`there is no way ${name} of ${format}`)
    return way
  }
  const requestsIn = (name: string): readonly JsonObject[] =>
    conversation.requests.map((length) => wayOf(name)(requestAt(conversation, length)))
  const requests = requestsIn(names[0] ?? '')
  const whole = requests.at(-1) ?? {}
  const sizeOfWhole = countRequest(whole).total

  describe(`a conversation of twenty rounds ${spoken}`, () => {
    it.each(names)(
      '[R100] is folded by every stage, always in one line, sound, and counted whole (%s)',
      async (name) => {
        const landed = new Set<string>()
        for (const part of played.parts) {
          const maxInputTokens = Math.floor(sizeOfWhole / part)
          const test = await openTestBranch({ policy: { maxInputTokens, run: 'iterative' }, summarize })
          const lines = new Set<string>()
          for (const incoming of requestsIn(name)) {
            const { prepared, decision } = await playRequest(test, incoming)
            lines.add(decision.lineId)
            expect(lintRequest(format, incoming)).toEqual([])
            if (prepared === null) continue
            expect(lintRequest(format, prepared.request)).toEqual([])
            expect(countRequest(prepared.request).total).toBe(decision.counted)
            expect(decision.after).toBeLessThanOrEqual(maxInputTokens)
            await prepared.settle(nothingReported)
          }
          expect(lines.size).toBe(1)
          for (const event of test.events)
            if (event.type === 'stage-applied' && event.fold.outcome === 'landed')
              landed.add(event.fold.stage)
        }
        expect([...landed].sort()).toEqual(['all', 'clip', 'tool_io'])
      },
    )

    it('[R15] comes back as the very object when all of it is restored and nothing is the ceiling', async () => {
      const policy = { maxInputTokens: Math.floor(sizeOfWhole / 8), run: 'iterative' } as const
      const test = await openTestBranch({ policy, store: memoryStore(), summarize })
      for (const incoming of requests)
        await (await playRequest(test, incoming)).prepared?.settle({ usage: null })
      expect(test.events.some(({ type }) => type === 'stage-applied')).toBe(true)
      await test.branch.setPolicy({ maxInputTokens: 'none' })
      const { entries } = await test.branch.status()
      expect(await test.branch.restore({ start: 0, end: entries })).toMatchObject({ success: true })
      const { request, decision } = await test.branch.prepare(whole)
      expect(request).toBe(whole)
      expect(decision.action).toBe('pass')
    })

    it('[R15, R252] is the very object that came in where nothing is folded', async () => {
      const { branch } = await openTestBranch()
      for (const incoming of requests) expect((await branch.prepare(incoming)).request).toBe(incoming)
    })
  })

  describe(`conversations of every shape ${spoken}`, () => {
    it.each([1, 2, 3, 4, 5, 6])('[R100] have no fault that they did not bring (seed %i)', async (shape) => {
      const varied = makeConversation({
        seed: shape,
        format: 'openai-chat',
        rounds: 12,
        contextTool: true,
        shapes: 'varied',
      })
      const way = wayOf(names[shape % names.length])
      const faultsOf = (request: unknown): readonly string[] =>
        lintRequest(format, request).map(({ rule }) => rule)
      const maxInputTokens = Math.floor(countRequest(way(varied.request)).total / (1 + shape))
      const test = await openTestBranch({ policy: { maxInputTokens, run: 'iterative' }, summarize })
      for (const length of varied.requests) {
        const incoming = way(requestAt(varied, length))
        const { prepared, decision } = await playRequest(test, incoming)
        if (prepared === null) continue
        expect(countRequest(prepared.request).total).toBe(decision.counted)
        const known = faultsOf(incoming)
        const faults = faultsOf(prepared.request)
        for (const rule of new Set(faults))
          expect(faults.filter((other) => other === rule).length).toBeLessThanOrEqual(
            known.filter((other) => other === rule).length,
          )
        await prepared.settle({ usage: null })
      }
      expect(test.events.some(({ type }) => type === 'stage-applied')).toBe(true)
      expect((await test.branch.lines()).length).toBe(1)
    })
  })

  return { requests, requestsIn, whole, sizeOfWhole }
}
