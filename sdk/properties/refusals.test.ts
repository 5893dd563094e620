import { describe, expect, it } from 'vitest'
import { type LeftToTakeOptions, resultsLeftToShorten, roundsLeftToTake } from '../testing/left-to-take.ts'
import { listedTexts } from '../testing/listed-texts.ts'
import { openTestBranch, type TestBranch } from '../testing/open-branch.ts'
import { type PlayedRequest, playAtRandom } from '../testing/play-at-random.ts'
import { seededRandom } from '../testing/random.ts'
import { randomConversation } from '../testing/random-conversation.ts'
import { randomSetting } from '../testing/random-setting.ts'
import { scriptTokenCounter } from '../testing/script-token-counter.ts'
import { seeds } from '../testing/seeds.ts'
import { loadTokenizer } from '../tokenizer.ts'

/** That a request is refused only when nothing is left to do for it, and that a refusal says so. */

const counter = await scriptTokenCounter()
const { countRequest } = await loadTokenizer()

/** Tokens that the marks of a request come to at the most. */
const MARKS = 100

async function expectNothingLeft(
  { branch }: TestBranch,
  { incoming, decision }: PlayedRequest,
  facts: Omit<LeftToTakeOptions, 'decision'> & {
    readonly summarises: boolean
    readonly maxChars?: number | undefined
  },
): Promise<void> {
  const options = { ...facts, decision }
  const { messages: view } = await branch.getMessages({ scope: 'active' })
  expect(roundsLeftToTake(view, options)).toEqual([])
  const { messages: all } = await branch.getMessages({ scope: 'all' })
  const listed = all.filter(({ kind }) => kind !== 'note' && kind !== 'copy' && kind !== 'system')
  const texts = listedTexts(incoming)
  const longest = new Map(listed.map(({ index }, position) => [index, texts[position]?.longestBody ?? 0]))
  const longestBody = (index: number) => longest.get(index) ?? 0
  expect(resultsLeftToShorten(view, { ...options, longestBody })).toEqual([])
  if (options.summarises) expect(decision.trace.some(saysWhyNoSummaryHelps)).toBe(true)
}

function saysWhyNoSummaryHelps(step: PlayedRequest['decision']['trace'][number]): boolean {
  if (step.type === 'floor') return step.verdict === 'unsendable'
  const summarises = step.type === 'stage' && (step.stage === 'all' || step.stage === 'reset')
  return summarises && (step.keptTail === 2 || step.outcome === 'nothing_to_take')
}

describe('a refusal', () => {
  it.each(seeds(40))(
    '[R51, R52, R55, R56, R61, R62] comes when nothing is left to take, says how large, and sends nothing (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { conversation, options } = randomConversation(seed, { contextTool: false })
      const tokens = countRequest(conversation.request).total
      const { policy, summarize } = randomSetting(random, tokens)
      const recovery = random.pick(['auto', 'user'] as const)
      const test = await openTestBranch({
        counter,
        policy: { ...policy, recovery },
        ...(summarize ? { summarize } : {}),
      })
      const facts = {
        maxChars: policy.toolResultMaxChars,
        margin: policy.contextFoldTailMargin ?? 0,
        placesMarks: policy.promptCaching === true && options.format === 'anthropic',
        keepsTurnHead: options.thinking === 'manual',
        summarises: summarize !== undefined && policy.compaction?.mode !== 'off',
      }
      for await (const played of playAtRandom(test, conversation, random)) {
        const { refusal, decision, incoming } = played
        if (refusal === null) continue
        expect(decision.sent).toBe(false)
        expect(decision.action).toBe('refuse')
        if (decision.trace.some(({ type }) => type === 'refusal_stands')) continue
        expect(refusal).toMatchObject({
          estimate: decision.after,
          counted: decision.counted,
          ceiling: policy.maxInputTokens,
        })
        expect(decision.after).toBeGreaterThan(policy.maxInputTokens)
        // The marks are part of what is measured.
        const marks = facts.placesMarks ? MARKS : 0
        expect(countRequest(incoming).total).toBeGreaterThan(policy.maxInputTokens - marks)
        await expectNothingLeft(test, played, facts)
      }
    },
    60_000,
  )
})
