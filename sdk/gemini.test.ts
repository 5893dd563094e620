import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from './engine/json.ts'
import { noteArguments } from './engine/note-text.ts'
import { codePoints } from './engine/text.ts'
import { asGemini } from './testing/as-gemini.ts'
import { describePlayedFormat, summarize } from './testing/describe-played-format.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { playRequest } from './testing/play-at-random.ts'

const ways = {
  none: (chat: JsonObject) => asGemini(chat, 'none'),
  calls: (chat: JsonObject) => asGemini(chat, 'calls'),
  both: (chat: JsonObject) => asGemini(chat, 'both'),
}

const { requests, requestsIn, whole, sizeOfWhole } = describePlayedFormat({
  format: 'gemini',
  spoken: 'in Gemini, with ids of neither, of calls or of both',
  seed: 89,
  parts: [2, 8, 40],
  ways,
})

function contentsOf(request: unknown): readonly JsonObject[] {
  const contents = isObject(request) ? request.contents : undefined
  return Array.isArray(contents) ? contents : []
}

describe('folds of a conversation in Gemini', () => {
  it.each(['none', 'calls', 'both'] as const)(
    '[R123] lists each call under the index of its own result; ids: %s',
    async (ids) => {
      const test = await openTestBranch({
        policy: { maxInputTokens: Math.floor(sizeOfWhole / 8) },
        summarize,
      })
      for (const incoming of requestsIn(ids))
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
