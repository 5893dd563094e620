import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { solution } from '../testing/rehearsal/documents.ts'
import { modelNames } from '../testing/rehearsal/model-names.ts'
import { type OpenChat, openChat } from './open-chat.ts'
import { openAiContinuedResponses } from './openai.ts'
import { together } from './together.ts'

/** Takes a client through the rehearsal that leaves its history with the provider. */
export function describeContinuedResponses(provider: { url(): string }): void {
  const rehearse = ({ chat, isStreamed }: { chat: OpenChat; isStreamed: boolean }): Promise<string> =>
    openAiContinuedResponses({
      ...chat,
      url: provider.url(),
      model: modelNames.plain,
      isStreamed,
      hasContextTool: true,
    })

  describe.for([
    ['whole', false],
    ['streamed', true],
  ] as const)('openai-responses by openai, previous_response_id, %s', together, ([, isStreamed]) => {
    it('[R39] holds forty rounds that are measured by what the provider reported', async () => {
      const chat = await openChat({ maxInputTokens: 60_000 })
      expect(await rehearse({ chat, isStreamed })).toBe(solution)
      const { decisions, settlements, folds } = await chat.branch.journal()
      expect(folds).toEqual([])
      expect(decisions).toHaveLength(chat.sent.length)
      const [first, ...later] = decisions
      expect(first?.method).not.toBe('remote')
      expect(later.length).toBeGreaterThanOrEqual(37)
      for (const [place, { method, after, parts }] of later.entries()) {
        expect(method).toBe('remote')
        // Instructions come with each request, and what was reported has them already; so it has tools.
        const instructions = parts.find(({ part }) => part === 'system')?.tokens ?? 0
        const reported = settlements[place + 1]?.usage?.input ?? 0
        // An answer is reported in its own tokens, and read back with the frame of its items around it.
        expect(after - reported).toBeGreaterThan(-100)
        expect(after - reported).toBeLessThan(60 + instructions)
      }
      await chat.close()
    })

    it('[R40] is refused over the ceiling as a rejection that the client does not send again', async () => {
      const chat = await openChat({ maxInputTokens: 9000 })
      const error = await rehearse({ chat, isStreamed }).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(OpenAI.BadRequestError)
      expect(error).toMatchObject({ status: 400, code: 'input_ceiling_exceeded', param: 'input' })
      const { decisions, settlements } = await chat.branch.journal()
      expect(decisions.filter(({ sent }) => !sent)).toHaveLength(1)
      expect(decisions.at(-1)).toMatchObject({ action: 'refuse', method: 'remote' })
      expect(chat.sent).toHaveLength(decisions.length - 1)
      for (const { usage } of settlements) expect(usage?.input).toBeLessThanOrEqual(9000)
      await chat.close()
    })
  })
}
