import { describe, expect, it } from 'vitest'
import { createDogear } from './dogear.ts'
import { memoryStore } from './stores/memory.ts'
import { ask, chat, openCaching, round } from './testing/caching-chat.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { numberedText, toolChat } from './testing/tool-chat.ts'

describe('what is recorded', () => {
  it('[R297] carries its version, in the journal as in the stream', async () => {
    const { branch, events } = await openTestBranch({ policy: { maxInputTokens: 2000 } })
    await branch.prepare(toolChat([{ results: [numberedText(9000)] }]))
    const { decisions, folds } = await branch.journal()
    expect(folds.length).toBeGreaterThan(0)
    for (const { v } of [...decisions, ...folds, ...events]) expect(v).toBe(1)
  })

  it('[R310, R188] holds the refusal of a result that no shortening brings under the bound', async () => {
    const name = 'c'.repeat(1000)
    const dogear = createDogear({ store: memoryStore(), contextToolName: name })
    const policy = { maxInputTokens: 'none', toolResultMaxChars: 1024 } as const
    const branch = await dogear.branch('chat', { policy })
    const request = toolChat([{ results: [numberedText(9000)] }], {
      tools: [branch.contextTool.definition('openai-chat')],
    })
    await expect(branch.prepare(request)).rejects.toMatchObject({ code: 'result_over_bound' })
    const { decisions } = await branch.journal()
    expect(decisions).toMatchObject([{ action: 'refuse', sent: false }])
    expect(decisions[0]?.trace.at(-1)).toMatchObject({ type: 'refused', reason: 'result_over_bound' })
    await dogear.close()
  })

  it('[R378] leaves no key of the policy in a request, whether its format holds marks or not', async () => {
    const policy = { maxInputTokens: 2500, promptCaching: true, toolResultMaxChars: 1024 } as const
    const keys = [...Object.keys(policy), 'max_input_tokens', 'contextFoldAt', 'dogear']
    const { branch, events } = await openCaching(policy)
    const marked = await branch.prepare(chat([ask('Look around.'), ...round('a', 900)]))
    const other = await openTestBranch({ policy })
    const plain = await other.branch.prepare(toolChat([{ results: [numberedText(9000)] }]))
    expect(JSON.stringify(marked.request)).toContain('cache_control')
    expect(JSON.stringify(plain.request)).not.toContain('cache_control')
    for (const { request } of [marked, plain])
      for (const key of keys) expect(JSON.stringify(request)).not.toContain(key)
    const resolvedOf = (told: typeof events) =>
      told.flatMap((event) => (event.type === 'policy-set' && event.resolved ? [event.resolved] : []))
    expect(resolvedOf(events)).toMatchObject([{ promptCaching: true, toolResultMaxChars: 1024 }])
    expect(resolvedOf(other.events)).toMatchObject([{ promptCaching: false, toolResultMaxChars: 1024 }])
  })

  it('[R131, R133] is no part of a result that is no text: bytes stay whole, and what JSON cannot hold is refused before', async () => {
    const bytes = new Uint8Array([137, 80, 78, 71, 1, 2, 3])
    const prompt = (value: readonly unknown[]) => [
      { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input: {} }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'look', output: { type: 'content', value } },
        ],
      },
    ]
    const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: bytes } }
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 10_000 } })
    const list = { prompt: prompt([{ type: 'text', text: numberedText(60_000) }, file]) }
    const { request, decision } = await branch.prepare(list, { format: 'ai-sdk' })
    expect(decision.action).toBe('fold')
    const sent = JSON.stringify(request)
    expect(sent).toContain('characters omitted')
    expect(sent.includes('iVBORwECAw==') || sent.includes(JSON.stringify(bytes))).toBe(true)
    const refused = { prompt: prompt([{ type: 'text', text: 1n }]) }
    await expect(branch.prepare(refused, { format: 'ai-sdk' })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    expect((await branch.journal()).decisions).toHaveLength(1)
  })
})
