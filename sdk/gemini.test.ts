import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from './engine/json.ts'
import { noteArguments } from './engine/note-text.ts'
import { codePoints } from './engine/text.ts'
import { lintRequest } from './lint-request.ts'
import { memoryStore } from './stores/memory.ts'
import { asGemini, type GeminiIds } from './testing/as-gemini.ts'
import { makeConversation, requestAt } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { playRequest } from './testing/play-at-random.ts'
import { loadTokenizer } from './tokenizer.ts'

const { countRequest } = await loadTokenizer()

const conversation = makeConversation({
  seed: 89,
  format: 'openai-chat',
  rounds: 20,
  resultWords: 2_000,
  contextTool: true,
})
const summarize = async () => 'Notes were read and compared; nothing was missing.'

function requestsWith(ids: GeminiIds): readonly JsonObject[] {
  return conversation.requests.map((length) => asGemini(requestAt(conversation, length), ids))
}

const requests = requestsWith('none')
const whole = requests.at(-1) ?? {}
const sizeOfWhole = countRequest(whole).total

function contentsOf(request: unknown): readonly JsonObject[] {
  const contents = isObject(request) ? request.contents : undefined
  return Array.isArray(contents) ? contents : []
}

describe('a conversation of twenty rounds in Gemini', () => {
  it.each(['none', 'calls', 'both'] as const)(
    '[R100] is folded by every stage, always in one line, sound, and counted whole; ids: %s',
    async (ids) => {
      const landed = new Set<string>()
      for (const part of [2, 8, 40]) {
        const maxInputTokens = Math.floor(sizeOfWhole / part)
        const policy = { maxInputTokens, run: 'iterative' } as const
        const test = await openTestBranch({ policy, summarize })
        const lines = new Set<string>()
        for (const incoming of requestsWith(ids)) {
          const { prepared, decision } = await playRequest(test, incoming)
          lines.add(decision.lineId)
          expect(lintRequest('gemini', incoming)).toEqual([])
          if (prepared === null) continue
          expect(lintRequest('gemini', prepared.request)).toEqual([])
          expect(countRequest(prepared.request).total).toBe(decision.counted)
          expect(decision.after).toBeLessThanOrEqual(maxInputTokens)
          await prepared.settle({ usage: null })
        }
        expect(lines.size).toBe(1)
        for (const event of test.events)
          if (event.type === 'stage-applied' && event.fold.outcome === 'landed') landed.add(event.fold.stage)
      }
      expect([...landed].sort()).toEqual(['all', 'clip', 'tool_io'])
    },
  )

  it.each(['none', 'calls', 'both'] as const)(
    '[R123] lists each call under the index of its own result; ids: %s',
    async (ids) => {
      const test = await openTestBranch({
        policy: { maxInputTokens: Math.floor(sizeOfWhole / 8) },
        summarize,
      })
      for (const incoming of requestsWith(ids))
        await (await playRequest(test, incoming)).prepared?.settle({ usage: null })
      const { folds } = await test.branch.journal()
      const calls = folds.flatMap((fold) => (fold.outcome === 'landed' ? fold.calls : []))
      expect(calls.length).toBeGreaterThan(10)
      const texts = resultTexts()
      for (const { index, arguments: asked } of calls) {
        const { text } = await test.branch.readResult({ index, limit: 60 })
        expect(text.slice(0, 60)).toBe(texts.get(asked))
      }
    },
  )

  it('[R15] comes back byte for byte when all of it is restored and nothing is the ceiling', async () => {
    const policy = { maxInputTokens: Math.floor(sizeOfWhole / 8), run: 'iterative' } as const
    const store = memoryStore()
    const test = await openTestBranch({ policy, store, summarize })
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

  it('keeps the very contents of rounds that no stage took, and what was said in those that lost calls', async () => {
    const test = await openTestBranch({ policy: { maxInputTokens: Math.floor(sizeOfWhole / 2) } })
    let sent: unknown = null
    for (const incoming of requests) {
      const { request, settle } = await test.branch.prepare(incoming)
      await settle({ usage: null })
      sent = request
    }
    const own = contentsOf(whole)
    const contents = contentsOf(sent)
    for (const [place, content] of contents.slice(-4).entries()) expect(content).toBe(own.at(place - 4))
    const texts = new Set(own.map((content) => JSON.stringify(content)))
    const added = contents.filter((content) => !texts.has(JSON.stringify(content)))
    expect(added.length).toBeGreaterThan(0)
    const said = new Set(own.flatMap((content) => partTexts(content)))
    for (const content of added) {
      expect(partsOf(content, 'functionCall').concat(partsOf(content, 'functionResponse'))).toEqual([])
      if (content.role === 'model') for (const text of partTexts(content)) expect(said).toContain(text)
    }
  })

  it('is shown with the words of its system instruction', async () => {
    const { branch } = await openTestBranch()
    await branch.prepare(whole)
    const { messages } = await branch.getMessages()
    expect(messages[0]).toMatchObject({ kind: 'system', preview: 'You keep a small archive of notes.' })
  })

  it('[R166] shortens the values of a response in its own form', async () => {
    const policy = { maxInputTokens: 'none', toolResultMaxChars: 1_500 } as const
    const { branch } = await openTestBranch({ policy })
    const { request } = await branch.prepare(whole)
    const responses = contentsOf(request)
      .flatMap(({ parts }) => (Array.isArray(parts) ? parts : []))
      .flatMap(({ functionResponse }) => (isObject(functionResponse) ? [functionResponse.response] : []))
    for (const response of responses) {
      if (!isObject(response) || response.error !== undefined) continue
      expect(Object.keys(response)).toEqual(['output', 'lines'])
      expect(codePoints(String(response.output))).toBeLessThanOrEqual(1_500)
      expect(typeof response.lines).toBe('number')
    }
    expect(JSON.stringify(responses)).toContain('characters omitted')
  })
})

describe('conversations of every shape in Gemini', () => {
  it.each([1, 2, 3, 4, 5, 6])('[R100] have no fault that they did not bring (seed %i)', async (seed) => {
    const varied = makeConversation({
      seed,
      format: 'openai-chat',
      rounds: 12,
      contextTool: true,
      shapes: 'varied',
    })
    const ids = (['none', 'calls', 'both'] as const)[seed % 3] ?? 'none'
    const faultsOf = (request: unknown): readonly string[] =>
      lintRequest('gemini', request).map(({ rule }) => rule)
    const maxInputTokens = Math.floor(countRequest(asGemini(varied.request, ids)).total / (1 + seed))
    const test = await openTestBranch({ policy: { maxInputTokens, run: 'iterative' }, summarize })
    for (const length of varied.requests) {
      const incoming = asGemini(requestAt(varied, length), ids)
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

/** The beginning of each result's readable text, by what a note shows of its call's arguments. */
function resultTexts(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const [place, content] of contentsOf(whole).entries()) {
    const calls = partsOf(content, 'functionCall')
    const results = partsOf(contentsOf(whole)[place + 1], 'functionResponse')
    const places = new Map<unknown, number>()
    for (const { name, args } of calls) {
      const before = places.get(name) ?? 0
      places.set(name, before + 1)
      const { response } = results.filter((result) => result.name === name)[before] ?? {}
      const text = isObject(response)
        ? Object.entries(response).map(([key, value]) => `${key}: ${value}`)
        : []
      texts.set(noteArguments(JSON.stringify(args)), text.join('\n').slice(0, 60))
    }
  }
  return texts
}

function partTexts(content: JsonObject): readonly string[] {
  const parts = Array.isArray(content.parts) ? content.parts.filter(isObject) : []
  return parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
}

function partsOf(content: JsonObject | undefined, key: string): readonly JsonObject[] {
  const parts = Array.isArray(content?.parts) ? content.parts.filter(isObject) : []
  return parts.map((part) => part[key]).filter(isObject)
}
