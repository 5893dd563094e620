import { describe, expect, it } from 'vitest'
import { type ChatOptions, DecidedChat } from '../testing/decided-chat.ts'
import type { DecidedRequest } from './decide.ts'
import type { JsonObject } from './json.ts'

const ask = (text: string): JsonObject => ({ role: 'user', content: text })
const say = (text: string): JsonObject => ({ role: 'assistant', content: [{ type: 'text', text }] })
const work = (id: string, words: string): readonly JsonObject[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: words }] },
]

const list = [ask('a'.repeat(500)), say('b'.repeat(500)), ask('c')]
const counted = decide({ ceiling: null }).size.counted

function decide(options: ChatOptions, messages: readonly JsonObject[] = list): DecidedRequest {
  const { policy, ...rest } = options
  return new DecidedChat().decide(messages, { policy: { promptCaching: false, ...policy }, ...rest })
}

const codes = ({ facts }: DecidedRequest) => facts.warnings.map(({ code }) => code)

describe('what a decision says', () => {
  it('is the size, the ceiling and its line and target, and begins its trace with them', () => {
    const { facts } = decide({ ceiling: 10_000 })
    expect(facts).toMatchObject({
      ceiling: 10_000,
      ceilingSource: 'policy',
      line: 8000,
      target: 6000,
      method: 'counted',
      before: counted,
      after: counted,
      action: 'pass',
    })
    expect(facts.trace).toEqual([{ type: 'measured', estimate: counted, line: 8000, ceiling: 10_000 }])
    expect(facts).not.toHaveProperty('tier')
  })

  it('[R17] has neither line nor target without a ceiling', () => {
    const { facts, refusal } = decide({ ceiling: null })
    expect(facts).toMatchObject({ ceiling: null, ceilingSource: 'none', line: null, target: null })
    expect([facts.action, refusal]).toEqual(['pass', null])
  })

  it('names the tier that the ceiling was read from', () => {
    const tier = { maxPromptTokens: 10_000, revision: 'r' }
    const ceiling = { type: 'ceiling', ceiling: 10_000, source: 'auto', tier } as const
    expect(decide({ input: { ceiling } }).facts).toMatchObject({ ceilingSource: 'auto', tier })
  })

  it('[R55, R56] ends its trace with the refusal, and sends at the ceiling itself', () => {
    const refused = decide({ ceiling: counted - 1 })
    expect(refused.refusal).toBe('nothing_to_fold')
    expect(refused.facts.action).toBe('refuse')
    expect(refused.facts.trace.at(-1)).toEqual({
      type: 'refused',
      estimate: counted,
      ceiling: counted - 1,
      reason: 'nothing_to_fold',
    })
    const sent = decide({ ceiling: counted })
    expect([sent.refusal, sent.facts.action]).toEqual([null, 'pass'])
    expect(sent.facts.trace.some(({ type }) => type === 'refused')).toBe(false)
  })

  it('[R188] refuses a result that no shortening brings under the bound, under any ceiling and none', () => {
    for (const ceiling of [null, 100_000]) {
      const options = { ceiling, policy: { toolResultMaxChars: 40 } }
      const refused = decide(options, [ask('go'), ...work('a', 'x'.repeat(500))])
      expect([refused.refusal, refused.facts.action]).toEqual(['result_over_bound', 'refuse'])
      expect(decide(options, [ask('go'), ...work('a', 'x'.repeat(40))]).refusal).toBeNull()
    }
  })

  it('refuses by no estimate that is not a count', () => {
    const { refusal, facts } = decide({ ceiling: 10, input: { exact: false } })
    expect([refusal, facts.method, facts.action]).toEqual([null, 'estimate', 'pass'])
  })
})

describe('history that the provider holds', () => {
  it('is added as it was reported, never folded, and told near the line', () => {
    const near = decide({ ceiling: 10_000, input: { remote: { reported: 8000 - counted } } })
    expect(near.facts).toMatchObject({ method: 'remote', before: 8000, after: 8000, action: 'notice' })
    const under = decide({ ceiling: 10_000, input: { remote: { reported: 7999 - counted } } })
    expect(under.facts.action).toBe('pass')
    const over = decide({ ceiling: 10_000, input: { remote: { reported: 10_001 - counted } } })
    expect(over.refusal).toBe('remote_history')
    expect(over.folds).toEqual([])
    expect(decide({ ceiling: null, input: { remote: { reported: 9 } } }).facts.action).toBe('pass')
    expect(decide({ ceiling: counted }).facts.action).toBe('pass')
  })

  it.each([
    ['history', { remote: { reported: null } }, 'remote_history_unmeasured'],
    ['a cached prefix', { held: { tokens: null } }, 'cached_content_unmeasured'],
  ] as const)(
    '[R41] refuses %s that nobody measured under a ceiling that was asked for',
    (_what, input, code) => {
      const refused = decide({ ceiling: 10_000, input })
      expect(refused.refusal).toBe('remote_unmeasured')
      expect(codes(refused)).toEqual([code])
      const ceiling = { type: 'ceiling', ceiling: 10_000, source: 'default' } as const
      const sent = decide({ input: { ...input, ceiling } })
      expect(sent.refusal).toBeNull()
      expect(codes(sent)).toEqual([code])
      expect(decide({ ceiling: null, input }).refusal).toBeNull()
    },
  )

  it('[R39] counts a cached prefix whose size is known', () => {
    const { size, facts } = decide({ ceiling: 10_000, input: { held: { tokens: 700 } } })
    expect(size.counted).toBe(counted + 700)
    expect([facts.method, facts.warnings]).toEqual(['counted', []])
  })

  it('is not spoken of where there is none', () => {
    expect(codes(decide({ ceiling: 10_000 }))).toEqual([])
  })
})

describe('a fold that needs a summary', () => {
  const long = [ask('go'), ...'bcdefghij'.split('').flatMap((letter) => [say(letter.repeat(300)), ask('on')])]
  const read = (summaries: 'missing' | 'off'): DecidedRequest => {
    const chat = new DecidedChat()
    const options = { policy: { promptCaching: false }, input: { summaries } }
    chat.send(long, { ...options, ceiling: null })
    return chat.decide([...long, say('so'), ask('end')], { ...options, ceiling: 3500 })
  }

  it('says that there is nobody to write it, unless the app wants none', () => {
    expect(codes(read('missing'))).toEqual(['summary_unavailable'])
    expect(codes(read('off'))).toEqual([])
  })

  it('is the only one that says so', () => {
    expect(codes(decide({ ceiling: 10_000, input: { summaries: 'missing' } }))).toEqual([])
    const rounds = [ask('go'), ...'abcdef'.split('').flatMap((id) => work(id, id.repeat(600)))]
    const options = { policy: { promptCaching: false }, input: { summaries: 'missing' } } as const
    const chat = new DecidedChat()
    chat.send(rounds, { ...options, ceiling: null })
    const folded = chat.decide([...rounds, say('so')], { ...options, ceiling: 5000 })
    expect(folded.facts.action).toBe('fold')
    expect(codes(folded)).toEqual([])
  })
})

describe('words of the context tool', () => {
  const rounds = [ask('go'), ...'abcdef'.split('').flatMap((id) => work(id, id.repeat(600)))]
  const note = (recovery: 'auto' | 'user'): string => {
    const chat = new DecidedChat()
    const policy = { promptCaching: false, recovery }
    chat.send(rounds, { policy, ceiling: null })
    const { messages, facts } = chat.decide([...rounds, say('so')], { policy, ceiling: 4500 })
    expect(facts.action).toBe('fold')
    return JSON.stringify(messages.map(({ snapshot }) => snapshot))
  }

  it('stand in a note where the model reads back, and not where a person does', () => {
    expect(note('auto')).toContain('context(action=')
    expect(note('user')).toContain('kept in this browser')
    expect(note('user')).not.toContain('context(action=')
  })
})
