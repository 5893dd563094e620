import { describe, expect, it } from 'vitest'
import { ceiling, openTalk, talk } from './testing/open-talk.ts'

describe('a summary that does not come', () => {
  it.each([
    ['that throws', () => Promise.reject(new Error('401 bad key')), /failed/],
    ['that resolves to nothing', async () => undefined as never, /no text/],
  ] as const)('of a function %s is told with the request', async (_what, summarize, says) => {
    const { branch } = await openTalk({ summarize })
    const { warnings } = await branch.prepare(talk(17))
    expect(warnings).toMatchObject([{ code: 'summary_failed', message: expect.stringMatching(says) }])
    expect(JSON.stringify(warnings)).not.toContain('401')
  })

  it('of a way to send that brings no answer of the format is told with the request', async () => {
    const { branch } = await openTalk()
    const { warnings } = await branch.prepare(talk(17), { send: async () => 'words' })
    expect(warnings).toMatchObject([{ code: 'summary_failed' }])
  })

  it('is told with a round that goes on without it', async () => {
    const { branch } = await openTalk({
      summarize: () => Promise.reject(new Error('down')),
      policy: { maxInputTokens: 'none' },
    })
    const prepared = await branch.prepare(talk(17))
    const error = { error: { code: 'context_length_exceeded' } }
    const { retry } = await prepared.settle({ error, status: 400 })
    expect(retry?.warnings).toMatchObject([{ code: 'summary_failed' }])
  })

  it('for nobody could write it is named by the refusal that it leads to, with what to do', async () => {
    const { branch } = await openTalk({ policy: { maxInputTokens: ceiling } })
    const refused = branch.prepare(talk(60))
    await expect(refused).rejects.toThrow(/nothing_to_fold.*summarize function, give prepare a way to send/)
    await expect(refused).rejects.toMatchObject({ warnings: [{ code: 'summary_unavailable' }] })
    // It stands with the same words.
    await expect(branch.prepare(talk(60))).rejects.toThrow(/summarize function/)
  })
})
