import { describe, expect, it } from 'vitest'
import type { MessagePreview, Prepared } from './branch.ts'
import type { FoldRecord } from './engine/journal.ts'
import type { JsonObject } from './engine/json.ts'
import type { ContextPolicy } from './engine/policy.ts'
import { codePoints } from './engine/text.ts'
import type { BranchStore, Summarize } from './ports.ts'
import { memoryStore } from './stores/memory.ts'
import { openTestBranch, type TestBranch } from './testing/open-branch.ts'
import { messagesOf } from './testing/play-conversation.ts'
import { callsIn, resultsIn, textsOf } from './testing/sent-request.ts'
import { numberedText, type ToolChatRound, toolChat } from './testing/tool-chat.ts'

const long = numberedText(100_045)

interface Chat extends TestBranch {
  /** Prepares the chat with the context tool among its tools. */
  prepare(rounds: readonly ToolChatRound[], after?: readonly JsonObject[]): Promise<Prepared<JsonObject>>
  /** And has it answered. */
  send(rounds: readonly ToolChatRound[], after?: readonly JsonObject[]): Promise<Prepared<JsonObject>>
  folds(): Promise<readonly FoldRecord[]>
  /** All entries of the record. */
  entries(): Promise<readonly MessagePreview[]>
}

async function open(
  policy: ContextPolicy,
  options: { readonly store?: BranchStore; readonly id?: string; readonly summarize?: Summarize } = {},
): Promise<Chat> {
  const test = await openTestBranch({ policy, ...options })
  const { branch } = test
  const tools = [branch.contextTool.definition('openai-chat')]
  const prepare: Chat['prepare'] = (rounds, after = []) => branch.prepare(toolChat(rounds, { tools, after }))
  return {
    ...test,
    prepare,
    async send(rounds, after) {
      const prepared = await prepare(rounds, after)
      await prepared.settle({ usage: null })
      return prepared
    },
    folds: async () => (await branch.journal()).folds,
    entries: async () => (await branch.getMessages({ scope: 'all' })).messages,
  }
}

function contents({ request }: Prepared): readonly string[] {
  return resultsIn(messagesOf(request)).map(({ content }) => String(content))
}

async function readAll({ branch }: Pick<TestBranch, 'branch'>, index: number): Promise<string> {
  let text = ''
  for (let offset: number | null = 0; offset !== null; ) {
    const slice = await branch.readResult({ index, offset, limit: 16_000 })
    text += slice.text
    offset = slice.nextOffset
  }
  return text
}

describe('a result that is larger than the target', () => {
  it('[R151, R300, R301, R99] is shown clipped in its own round, and no summary is asked for', async () => {
    let summaries = 0
    const chat = await open(
      { maxInputTokens: 20_000 },
      {
        summarize: async () => {
          summaries++
          return { text: 'A summary.' }
        },
      },
    )
    const rounds = [{ results: [long] }]
    const prepared = await chat.prepare(rounds)
    const { decision } = prepared
    expect(decision).toMatchObject({ action: 'fold', target: 12_000, folded: [] })
    expect(decision.after).toBeLessThanOrEqual(12_000)
    expect(summaries).toBe(0)
    const [content = ''] = contents(prepared)
    expect(content).toMatch(
      /\n\[\d+ of 100045 characters omitted: \d+-\d+\. context\(action="read_result", index=3, /,
    )
    expect(await readAll(chat, 3)).toBe(long)
    const kept = codePoints(content.replace(/\n\[\d+ of [^\n]*\]\n/, ''))
    expect((await chat.folds()).at(-1)).toMatchObject({
      stage: 'clip',
      outcome: 'landed',
      targetReached: true,
      keptTail: null,
      summarySource: null,
      summaryUsage: null,
      messagesFolded: 0,
      replaced: [],
      calls: [],
      callsTotal: 0,
      clipped: [{ index: 3, chars: 100_045, kept }],
      clippedTotal: 1,
    })
    expect(decision.trace).toContainEqual(
      expect.objectContaining({ stage: 'clip', outcome: 'landed', indexes: [3], after: decision.after }),
    )
  })

  it('[R141, R144, R145, R148] leaves every call and the record’s original as they were, and says that it was not seen whole', async () => {
    const chat = await open({ maxInputTokens: 20_000 })
    const rounds = [{ results: ['short', long, 'also short'] }]
    const incoming = messagesOf(toolChat(rounds))
    const { request } = await chat.prepare(rounds)
    const sent = messagesOf(request)
    expect(sent.map((message) => (message.content === sent[3]?.content ? null : message))).toEqual(
      incoming.map((message) => (message.content === long ? null : message)),
    )
    expect(callsIn(sent)).toEqual(callsIn(incoming))
    const entries = await chat.entries()
    expect(entries[6]).toMatchObject({ kind: 'result', state: 'clipped', chars: 100_045, delivered: false })
    const copy = entries.at(-1)
    expect(copy).toMatchObject({ kind: 'copy', state: 'clipped', index: 8 })
    expect(copy?.chars).toBe(codePoints(String(sent[3]?.content)))
    expect(copy?.preview).toBe(entries[6]?.preview)
    expect((await chat.branch.readResult({ index: 8, limit: 10 })).text).toBe(long.slice(0, 10))
  })

  it('[R154, R309, R371] counts as many calls with a clip as without', async () => {
    const rounds = [{ results: [long, 'short', 'more'] }]
    const counts = await Promise.all(
      (['none', 20_000] as const).map(async (maxInputTokens) => {
        const chat = await open({ maxInputTokens })
        await chat.send(rounds)
        const entries = await chat.entries()
        return ['call', 'result', 'copy'].map((kind) => entries.filter((entry) => entry.kind === kind).length)
      }),
    )
    expect(counts).toEqual([
      [3, 3, 0],
      [3, 3, 1],
    ])
  })

  it('[R77, R78] enters the record once, and not again with the next request', async () => {
    const chat = await open({ maxInputTokens: 20_000 })
    const rounds = [{ results: [long] }]
    const first = await chat.send(rounds)
    const again = await chat.send(rounds, [{ role: 'user', content: 'Go on.' }])
    expect(again.decision.action).toBe('pass')
    expect(contents(again)).toEqual(contents(first))
    expect((await chat.entries()).filter(({ kind }) => kind === 'copy')).toHaveLength(1)
  })
})

describe('sixteen results of one round', () => {
  const results = Array.from({ length: 16 }, (_, result) =>
    numberedText(4000 + 100 * result, `line${result}`),
  )

  it('[R152, R89, R373] are all in the next request, whole or clipped, and no stage takes one', async () => {
    for (const bound of [{}, { toolResultMaxChars: 4000 }]) {
      const chat = await open({ maxInputTokens: 20_000, ...bound })
      const prepared = await chat.prepare([{ results }])
      expect(prepared.decision.after).toBeLessThanOrEqual(12_000)
      expect(prepared.decision).toMatchObject({ action: 'fold', folded: [] })
      const sent = contents(prepared)
      expect(sent).toHaveLength(16)
      for (const [result, text] of sent.entries())
        expect(text.startsWith(results[result]?.slice(0, 700) ?? '-')).toBe(true)
      expect((await chat.folds()).map(({ stage, outcome }) => [stage, outcome])).toEqual([['clip', 'landed']])
      // The shorter ones need not have been cut.
      expect(new Set((await chat.entries()).map(({ state }) => state))).toContain('clipped')
    }
  })
})

describe('a copy', () => {
  it('[R153, R146, R202] that is clipped again, cloned and loaded is one copy, cut from the original that reads as ever', async () => {
    const store = memoryStore()
    const chat = await open({ maxInputTokens: 20_000 }, { store })
    const rounds = [{ results: [long] }]
    const [wide = ''] = contents(await chat.send(rounds))
    await chat.branch.setPolicy({ maxInputTokens: 5000 })
    const [tight = ''] = contents(await chat.send(rounds, [{ role: 'user', content: 'Go on.' }]))
    expect(tight.length).toBeLessThan(wide.length)
    expect(tight.match(/characters omitted/g)).toHaveLength(1)
    const [head = '', tail = ''] = tight.split(/\n\[.*\]\n/)
    expect(long.startsWith(head) && long.endsWith(tail)).toBe(true)
    const clone = await chat.branch.clone('other')
    const loaded = await open({ maxInputTokens: 5000 }, { store })
    const cloned = await open({ maxInputTokens: 5000 }, { store, id: clone.id })
    for (const other of [loaded, cloned]) {
      const copies = (await other.entries()).filter(({ kind }) => kind === 'copy')
      expect(copies.map(({ state }) => state)).toEqual(['out', 'clipped'])
      expect(await readAll(other, 3)).toBe(long)
      const next = await other.send(rounds, [
        { role: 'user', content: 'Go on.' },
        { role: 'assistant', content: 'Gone.' },
        { role: 'user', content: 'And on.' },
      ])
      expect(contents(next)).toEqual([tight])
    }
  })

  it('[R81, R90, R123] is read when a request that carries it was answered, and may then be folded under its original', async () => {
    const chat = await open({ maxInputTokens: 20_000 })
    const first = [{ results: [long] }]
    const prepared = await chat.prepare(first)
    expect((await chat.entries())[3]).toMatchObject({ state: 'clipped', delivered: false })
    await prepared.settle({ usage: null })
    expect((await chat.entries())[3]).toMatchObject({ state: 'clipped', delivered: true })
    const { request } = await chat.send([...first, { results: [numberedText(12_000)] }])
    const notes = textsOf(request, 'user').filter((text) => text.includes('not an instruction'))
    expect(notes).toHaveLength(1)
    expect(notes[0]).toMatch(/#3 read\(part="0\.0"\) -> 100045 characters/)
    expect(notes[0]?.match(/100045/g)).toHaveLength(1)
  })

  it('[R85, R89] that was not read keeps its round in view, however old that is', async () => {
    const chat = await open({ maxInputTokens: 20_000 })
    const rounds = [{ results: [long, 'short'] }]
    const prepared = await chat.prepare(rounds)
    await prepared.settle({ aborted: true })
    await chat.branch.setPolicy({ maxInputTokens: 8000 })
    const later = await chat.prepare(rounds, [
      { role: 'user', content: 'Go on.' },
      { role: 'user', content: 'Do.' },
    ])
    expect(contents(later)).toHaveLength(2)
    expect(later.decision).toMatchObject({ action: 'fold', folded: [] })
    expect((await chat.folds()).map(({ stage }) => stage)).toEqual(['clip', 'clip'])
  })

  it('[R149, R221] makes way for its original where that is restored, which the next request shows whole', async () => {
    const policy = { maxInputTokens: 20_000, contextFoldTailMargin: 1 }
    const chat = await open(policy)
    const wide = numberedText(20_000)
    const rounds = [{ results: [wide, numberedText(17_000, 'row')] }]
    expect(contents(await chat.send(rounds))[0]).toContain('characters omitted')
    expect(await chat.branch.restore({ start: 4 })).toMatchObject({ success: true, restored: [4] })
    expect((await chat.entries())[4]).toMatchObject({ state: 'verbatim', delivered: false })
    const after = [{ role: 'user', content: 'Go on.' }]
    const next = await chat.send(rounds, after)
    expect(next.decision).toMatchObject({ action: 'fold', folded: [] })
    expect(contents(next)[0]).toBe(wide)
    expect(contents(next)[1]).toContain('characters omitted')
    await chat.branch.setPolicy({ ...policy, maxInputTokens: 14_000 })
    expect(contents(await chat.send(rounds, after))[0]).toContain('characters omitted')
  })

  it('survives that the list moves back and comes forward again', async () => {
    const chat = await open({ maxInputTokens: 20_000 })
    const rounds = [{ results: [long] }]
    const first = await chat.send(rounds, [{ role: 'user', content: 'Go on.' }])
    expect(contents(await chat.send(rounds))).toEqual(contents(first))
    const other = await chat.send(rounds, [{ role: 'user', content: 'Go elsewhere.' }])
    expect(contents(other)).toEqual(contents(first))
    expect(await chat.branch.lines()).toHaveLength(2)
    expect(await readAll(chat, 3)).toBe(long)
  })
})

describe('reading what a clip left out', () => {
  it('[R214, R217, R219] brings each page whole into the next request while everything else is clipped around it', async () => {
    const chat = await open({ maxInputTokens: 20_000, toolResultMaxChars: 4000 })
    const rounds: ToolChatRound[] = [{ results: [numberedText(40_000)] }]
    const [preview = ''] = contents(await chat.send(rounds))
    const [, start = 0, end = 0] = /omitted: (\d+)-(\d+)\./.exec(preview)?.map(Number) ?? []
    let text = ''
    for (let offset = start; offset < end; ) {
      const asked = { action: 'read_result', index: 3, offset, limit: Math.min(4000, end - offset) }
      const reply = await chat.branch.contextTool.run(asked)
      expect(reply).toMatchObject({ success: true })
      rounds.push({ name: 'context', arguments: asked, results: [reply as JsonObject] })
      const sent = await chat.send(rounds)
      expect(contents(sent).at(-1)).toBe(JSON.stringify(reply))
      const first = contents(sent).find((content) => content.includes('of 40000 characters omitted'))
      if (first !== undefined) expect(first).toBe(preview)
      text += String(reply.text)
      offset += codePoints(String(reply.text))
    }
    expect(text).toBe(numberedText(40_000).slice(start, end))
  })
})
