import { afterEach, describe, expect, it } from 'vitest'
import type { ContextPolicy } from './engine/policy.ts'
import type { Summarize } from './ports.ts'
import { closeFetches } from './testing/open-fetch.ts'
import { openRepairing, statusesOf, words } from './testing/open-repairing.ts'

afterEach(closeFetches)

describe('compactNow', () => {
  const summarize: Summarize = async () => 'So far.'

  it('[R323, R362] summarises at once where the app can, and says where it cannot', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 100_000 }, summarize })
    const branch = await test.dogear.branch('chat')
    for (const turns of [2, 6, 10]) await (await test.send(turns)).text()
    const outcome = await branch.compactNow()
    expect(outcome).toMatchObject({ type: 'compacted' })
    expect(await branch.compactNow()).toEqual({ type: 'refused', code: 'already_compacted' })
    await test.send(11)
    const messages = JSON.stringify(test.provider.requests.at(-1)?.turn.messages)
    expect(messages).toContain('So far.')
    expect(messages).not.toContain(words(4))
    const { folds } = await branch.journal()
    expect(folds).toMatchObject([{ reason: 'manual', stage: 'summary', outcome: 'landed' }])
  })

  it('[R323, R362] waits for the next request where only its model can, and then repairs it', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 100_000 } })
    const branch = await test.dogear.branch('chat')
    for (const turns of [2, 6, 10]) await (await test.send(turns)).text()
    expect(await branch.compactNow()).toEqual({ type: 'armed' })
    expect(await statusesOf(test, () => test.send(11))).toEqual([200, 200])
    expect(test.events.find(({ type }) => type === 'round-repaired')).toMatchObject({ trigger: 'manual' })
    expect(await statusesOf(test, () => test.send(12))).toEqual([200])
  })

  it('tells of a summary that did not come, though the lists alone make it smaller', async () => {
    const failing: Summarize = () => Promise.reject(new Error('down'))
    const test = openRepairing({ format: 'openai-chat', model: { window: 100_000 }, summarize: failing })
    const branch = await test.dogear.branch('chat')
    for (const turns of [2, 6, 10]) await (await test.send(turns)).text()
    expect(await branch.compactNow()).toMatchObject({ type: 'compacted' })
    expect(test.warnings()).toContain('summary_failed')
  })

  it('[R361] refuses where the provider holds the history', async () => {
    const test = openRepairing({ format: 'openai-responses', model: { window: 100_000 }, summarize })
    const branch = await test.dogear.branch('chat')
    const first = await test.post({ model: 'm', input: 'One.', store: true })
    const { id } = await first.json()
    await (await test.post({ model: 'm', input: 'Two.', previous_response_id: id })).text()
    expect(await branch.compactNow()).toEqual({ type: 'refused', code: 'compaction_unavailable_under_raw' })
  })

  it('[R323, R365] is told and kept like any other fold, under the request that it was asked after', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 100_000 }, summarize })
    const branch = await test.dogear.branch('chat')
    for (const turns of [2, 6, 10]) await (await test.send(turns)).text()
    const outcome = await branch.compactNow()
    const { folds } = await branch.journal()
    const told = test.events.flatMap((event) => (event.type === 'stage-applied' ? [event.fold] : []))
    expect(told).toEqual(folds)
    expect(test.events.find(({ type }) => type === 'round-repaired')).toMatchObject({
      trigger: 'manual',
      foldId: folds[0]?.id,
      requestId: folds[0]?.requestId,
    })
    expect(outcome).toMatchObject({ foldId: folds[0]?.id, before: folds[0]?.before, after: folds[0]?.after })
    expect(folds[0]?.compactedBefore).toBeGreaterThan(1)
    expect((await branch.verify()).ok).toBe(true)
  })

  it('[R106, R108, R362] changes nothing where a summary is no shorter, keeps that it was tried, and says why', async () => {
    let answer = async (): Promise<string> => 'word '.repeat(20_000)
    const test = openRepairing({
      format: 'openai-chat',
      model: { window: 100_000 },
      summarize: () => answer(),
    })
    const branch = await test.dogear.branch('chat')
    for (const turns of [2, 6, 10]) await (await test.send(turns)).text()
    const refused = { type: 'refused', code: 'nothing_to_compact' }
    // What was written for it is in the record from then on, and stands for nothing.
    expect(await branch.compactNow()).toEqual(refused)
    expect(await branch.compactNow()).toEqual(refused)
    await (await test.send(11)).text()
    expect(JSON.stringify(test.provider.requests.at(-1)?.turn.messages)).toContain(words(4))
    // The lists alone are no summary, and what holds one is compacted already.
    answer = () => Promise.reject(new Error('down'))
    expect(await branch.compactNow()).toMatchObject({ type: 'compacted' })
    await (await test.send(12)).text()
    answer = async () => 'word '.repeat(20_000)
    expect(await branch.compactNow()).toEqual(refused)
    answer = async () => 'So far.'
    expect(await branch.compactNow()).toMatchObject({ type: 'compacted' })
    await (await test.send(13)).text()
    answer = async () => 'word '.repeat(20_000)
    expect(await branch.compactNow()).toEqual({ type: 'refused', code: 'already_compacted' })
    const { folds } = await branch.journal()
    expect(folds.map(({ outcome }) => outcome)).toEqual([
      'rolled_back',
      'rolled_back',
      'landed',
      'rolled_back',
      'landed',
      'rolled_back',
    ])
  })

  it('[R323, R330] does nothing but that, however far past its line the branch is by now', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 100_000 }, summarize })
    const branch = await test.dogear.branch('chat')
    for (const turns of [2, 6, 10]) await (await test.send(turns)).text()
    await branch.setPolicy({ maxInputTokens: 2000, recovery: 'user' })
    expect(await branch.compactNow()).toMatchObject({ type: 'compacted' })
    const { folds } = await branch.journal()
    expect(folds).toMatchObject([{ reason: 'manual', stage: 'summary', outcome: 'landed' }])
  })

  it('[R54, R362] refuses where the run is never folded, and minds no recovery that only binds a ceiling', async () => {
    const open = async (policy: ContextPolicy) => {
      const test = openRepairing({ format: 'openai-chat', model: { window: 100_000 }, policy, summarize })
      for (const turns of [2, 6, 10]) await (await test.send(turns)).text()
      return test.dogear.branch('chat')
    }
    const bounded = await open({ run: 'bounded' })
    expect(await bounded.compactNow()).toEqual({ type: 'refused', code: 'compaction_disabled' })
    expect((await bounded.journal()).folds).toEqual([])
    const byModel = await open({ recovery: 'model' })
    expect(await byModel.compactNow()).toMatchObject({ type: 'compacted' })
  })

  it('[R323] waits for the first request of a branch that has seen none', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 100_000 }, summarize })
    const branch = await test.dogear.branch('chat')
    expect(await branch.compactNow()).toEqual({ type: 'armed' })
    await (await test.send(10)).text()
    expect(test.events.find(({ type }) => type === 'round-repaired')).toMatchObject({ trigger: 'manual' })
    expect(JSON.stringify(test.provider.requests.at(-1)?.turn.messages)).toContain('So far.')
  })

  it('[R362] refuses by name', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 100_000 }, summarize })
    const branch = await test.dogear.branch('chat')
    await test.send(1)
    expect(await branch.compactNow()).toEqual({ type: 'refused', code: 'nothing_to_compact' })
    await branch.setPolicy({ compaction: { mode: 'off' } })
    expect(await branch.compactNow()).toEqual({ type: 'refused', code: 'compaction_disabled' })
  })
})
