import { describe, expect, it } from 'vitest'
import type { ContextPolicy } from './engine/policy.ts'
import { createModelLookup } from './models/model-lookup.ts'
import { memoryStore } from './stores/memory.ts'
import { makeConversation } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'

const { request: whole } = makeConversation({ seed: 71, format: 'anthropic', rounds: 12 })
const delta = [{ role: 'user', content: 'And what did the keeper write after that?' }]

function continuing(id: string): object {
  return {
    model: 'claude-haiku-5-5',
    max_tokens: 100,
    thread: { type: 'continue', previous_message_id: id },
    messages: delta,
  }
}

function response(id: string, usage: object): object {
  return { id, type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Noted.' }], usage }
}

/** A branch whose first request was answered, and whose provider holds it now. */
async function afterFirst(policy: ContextPolicy, usage: object, store = memoryStore()) {
  const test = await openTestBranch({ policy, store, findModel: createModelLookup([]) })
  const prepared = await test.branch.prepare({ ...whole, model: 'claude-haiku-5-5' })
  await prepared.settle({ response: response('msg_1', usage) })
  return test
}

const reported = { input_tokens: 20, cache_read_input_tokens: 29_000, output_tokens: 500 }

describe('a history that the provider holds', () => {
  it('[R39] is measured from what was reported for the response that it continues, and what is new', async () => {
    const { branch } = await afterFirst({ maxInputTokens: 60_000 }, reported)
    const { decision, request } = await branch.prepare(continuing('msg_1'))
    expect(decision).toMatchObject({ method: 'remote', action: 'pass', ceiling: 60_000 })
    expect(decision.before).toBeCloseTo(29_520 + decision.counted * decision.scale, 0)
    expect(decision.counted).toBeLessThan(100)
    expect(request).toEqual(continuing('msg_1'))
  })

  it('[R39] is measured after a reload as well', async () => {
    const store = memoryStore()
    await afterFirst({ maxInputTokens: 60_000 }, reported, store)
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 60_000 }, store })
    expect((await branch.prepare(continuing('msg_1'))).decision.method).toBe('remote')
  })

  it('[R40] is noticed at the fold line, and refused over the ceiling, where no fold can reach it', async () => {
    const near = await afterFirst({ maxInputTokens: 36_000 }, reported)
    expect((await near.branch.prepare(continuing('msg_1'))).decision).toMatchObject({
      action: 'notice',
      folded: [],
    })
    const { branch } = await afterFirst(
      { maxInputTokens: 35_000, run: 'iterative' },
      { ...reported, input_tokens: 6_000 },
    )
    await expect(branch.prepare(continuing('msg_1'))).rejects.toMatchObject({
      code: 'input_ceiling_exceeded',
      reason: 'remote_history',
    })
  })

  it('[R41] is refused under an explicit ceiling when nothing on record says how large it is', async () => {
    const { branch } = await afterFirst({ maxInputTokens: 60_000 }, reported)
    await expect(branch.prepare(continuing('msg_unknown'))).rejects.toMatchObject({
      reason: 'remote_unmeasured',
    })
    expect((await branch.journal()).decisions.at(-1)).toMatchObject({ action: 'refuse', sent: false })
  })

  it('[R41, R44] is unmeasured where the only figures were a total over several requests', async () => {
    const total = { ...reported, server_tool_use: { web_search_requests: 2 } }
    const { branch } = await afterFirst({ maxInputTokens: 60_000 }, total)
    await expect(branch.prepare(continuing('msg_1'))).rejects.toMatchObject({ reason: 'remote_unmeasured' })
  })

  it('[R41] is sent with a warning where the ceiling is only the default', async () => {
    const { branch } = await afterFirst({}, reported)
    const { decision, warnings } = await branch.prepare(continuing('msg_unknown'))
    expect(decision).toMatchObject({ action: 'pass', sent: true, ceilingSource: 'default' })
    expect(warnings.map(({ code }) => code)).toContain('remote_history_unmeasured')
  })

  it('[R42] is what the format says it is, and no argument that looks like a resumed session', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 60_000 } })
    const chat = { model: 'm', previous_response_id: 'resp_1', resume: 'session', messages: delta }
    expect((await branch.prepare(chat, { format: 'openai-chat' })).decision.method).toBe('counted')
    const started = { model: 'm', max_tokens: 9, thread: { type: 'start' }, messages: delta }
    const other = await openTestBranch({ policy: { maxInputTokens: 60_000 } })
    expect((await other.branch.prepare(started, { format: 'anthropic' })).decision.method).toBe('counted')
  })

  it('is not recorded as a line, for its list is only what is new', async () => {
    const { branch } = await afterFirst({ maxInputTokens: 60_000 }, reported)
    const before = await branch.getMessages({ scope: 'all' })
    await branch.prepare(continuing('msg_1'))
    expect(await branch.getMessages({ scope: 'all' })).toEqual(before)
    expect(await branch.lines()).toHaveLength(1)
  })
})

describe('a body that is too large for the provider', () => {
  // Tens of megabytes are read, copied and written, twice: seconds on a machine that does other things too.
  it('[R14] is refused by its bytes, whatever its tokens, and without a ceiling', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 'none' } })
    const image = (bytes: number): object => ({
      model: 'claude-haiku-5-5',
      max_tokens: 9,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(bytes) } },
          ],
        },
      ],
    })
    await expect(branch.prepare(image(32_000_000))).rejects.toMatchObject({ code: 'request_too_large' })
    expect((await branch.prepare(image(31_000_000))).decision.action).toBe('pass')
  }, 60_000)
})
