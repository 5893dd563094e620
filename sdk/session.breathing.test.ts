import { describe, expect, it } from 'vitest'
import { makeConversation, requestAt } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { countedTokens } from './testing/play-conversation.ts'

/** Lets others go first at every chance, and counts the chances. */
function eager(onBreath: () => void = () => undefined) {
  const page = {
    breaths: 0,
    breathe: async () => {
      page.breaths++
      onBreath()
      await new Promise((resolve) => setTimeout(resolve))
    },
  }
  return page
}

const formats = ['openai-chat', 'anthropic'] as const

describe.each(formats)('a page that breathes at every chance, %s', (format) => {
  const conversation = makeConversation({
    seed: 101,
    format,
    rounds: 30,
    resultWords: 300,
    contextTool: true,
  })
  const units = JSON.stringify(conversation.request).length

  it('is given a chance for every few thousand characters of a new list, and few for a known one', async () => {
    const page = eager()
    const { branch } = await openTestBranch({ breathe: page.breathe })
    await branch.prepare(conversation.request)
    const cold = page.breaths
    expect(cold).toBeGreaterThan(units / 16_384)
    await branch.prepare(structuredClone(conversation.request))
    expect(page.breaths - cold).toBeLessThan(cold / 2)
  })

  it('is given many chances during one long message', async () => {
    const page = eager()
    const { branch } = await openTestBranch({ breathe: page.breathe })
    const messages = [{ role: 'user', content: 'A long letter from the harbour. '.repeat(10_000) }]
    await branch.prepare({ model: 'm', ...(format === 'anthropic' ? { max_tokens: 9 } : {}), messages })
    expect(page.breaths).toBeGreaterThan(30)
  })

  it('gets the same decisions as one that does not', async () => {
    const ceiling = Math.floor((await countedTokens(conversation)) / 2)
    const played = []
    for (const breathe of [eager().breathe, () => undefined]) {
      const { branch } = await openTestBranch({ breathe, policy: { maxInputTokens: ceiling } })
      for (const length of conversation.requests.slice(-6)) {
        const prepared = await branch.prepare(requestAt(conversation, length))
        await prepared.settle({ usage: null })
        const { before, after, action, folded, parts } = prepared.decision
        played.push({ request: prepared.request, before, after, action, folded, parts })
      }
    }
    const [breathing, holding] = [played.slice(0, 6), played.slice(6)]
    expect(breathing.some(({ action }) => action === 'fold')).toBe(true)
    expect(JSON.stringify(breathing)).toBe(JSON.stringify(holding))
  })

  it('sends what was measured, whatever the app changes in a breath', async () => {
    const ceiling = Math.floor((await countedTokens(conversation)) / 2)
    for (const maxInputTokens of [ceiling, 'none'] as const) {
      const request = structuredClone(conversation.request) as unknown as {
        messages: { role: string; content: unknown }[]
      }
      const page = eager(() => {
        const place = request.messages.length - 1 - (page.breaths % 20)
        const message = request.messages[place]
        if (message?.role === 'user' && typeof message.content === 'string') message.content += ' changed'
        if (message?.role === 'tool') message.content = `changed ${page.breaths}`
        request.messages.push({ role: 'user', content: 'later' })
      })
      const { branch } = await openTestBranch({ breathe: page.breathe, policy: { maxInputTokens } })
      const prepared = await branch.prepare(request)
      const sent = structuredClone(prepared.request) as typeof request
      const { counted } = (await (await openTestBranch()).branch.prepare(sent)).decision
      expect(counted).toBe(prepared.decision.counted)
      expect(sent.messages.filter(({ content }) => content === 'later')).toEqual([])
    }
  })

  it('has the steps of a branch one after the other all the same', async () => {
    const page = eager()
    const { branch, events } = await openTestBranch({ breathe: page.breathe })
    const lengths = conversation.requests.slice(-4)
    const prepared = await Promise.all(
      lengths.map((length) => branch.prepare(requestAt(conversation, length))),
    )
    const inOrder = await openTestBranch()
    for (const [place, length] of lengths.entries()) {
      const alone = await inOrder.branch.prepare(requestAt(conversation, length))
      expect(prepared[place]?.decision.counted).toBe(alone.decision.counted)
    }
    const told = events.flatMap((event) => (event.type === 'request-decided' ? [event.requestId] : []))
    expect(told).toEqual(prepared.map(({ decision }) => decision.requestId))
    expect(await branch.getMessages({ scope: 'all' })).toEqual(
      await inOrder.branch.getMessages({ scope: 'all' }),
    )
  })

  it('can abort in any breath, which leaves nothing behind', async () => {
    const counting = eager()
    const first = await openTestBranch({ breathe: counting.breathe })
    await first.branch.prepare(conversation.request)
    for (let at = 1; at < counting.breaths; at += Math.ceil(counting.breaths / 7)) {
      const controller = new AbortController()
      const page = eager(() => {
        if (page.breaths === at) controller.abort()
      })
      const { branch } = await openTestBranch({ breathe: page.breathe })
      const aborted = branch.prepare(conversation.request, { signal: controller.signal })
      await expect(aborted).rejects.toMatchObject({ code: 'aborted' })
      expect((await branch.getMessages({ scope: 'all' })).total).toBe(0)
      expect((await branch.prepare(conversation.request)).decision.sent).toBe(true)
    }
  })
})
