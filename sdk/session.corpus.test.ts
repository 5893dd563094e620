import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Branch } from './branch.ts'
import type { JsonObject } from './engine/json.ts'
import type { ContextPolicy } from './engine/policy.ts'
import { type LeftToTakeOptions, resultsLeftToShorten, roundsLeftToTake } from './testing/left-to-take.ts'
import { type ListedText, listedTexts } from './testing/listed-texts.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { type PlayedRequest, playRequest } from './testing/play-at-random.ts'
import { readWhole } from './testing/read-whole.ts'
import { scriptTokenCounter } from './testing/script-token-counter.ts'
import { loadTokenizer } from './tokenizer.ts'
import { parseTranscript, type Transcript } from './transcript/transcript.ts'
import { detectFormat, formats } from './wire/detect.ts'

const corpus = join(process.env.DOGEAR_SHARED ?? '', 'data', 'corpus')
const folders = ['openai-chat', 'anthropic-messages'] as const

interface CorpusSetting {
  /** The ceiling as a share of the whole conversation. */
  readonly share: number
  readonly policy: ContextPolicy
}

/**
 * Sixteen settings out of 256 in which every pair of values meets once (an orthogonal array over the field of
 * four elements, in which adding is `^`). Each transcript is played under half of them, in turns, so that two
 * transcripts in a row meet them all; `DOGEAR_FUZZ=long` plays each transcript under each.
 */
const settings: readonly CorpusSetting[] = Array.from({ length: 16 }, (_, row) => {
  const [first, second] = [row >> 2, row & 3]
  const twice = [0, 2, 3, 1][second] ?? 0
  const maxChars = [undefined, 1024, 4000, 20_000][first]
  const shares = first ^ second
  const rest = first ^ twice
  return {
    share: [1, 1 / 2, 1 / 4, 1 / 8][second] ?? 1,
    policy: {
      contextFoldAt: (shares & 1) === 0 ? 0.8 : 0.9,
      contextFoldTarget: (shares & 2) === 0 ? 0.6 : 0.5,
      promptCaching: (rest & 1) === 1,
      summaryBodies: (rest & 2) === 2,
      ...(maxChars === undefined ? {} : { toolResultMaxChars: maxChars }),
    },
  }
})

function settingsOf(transcript: number): readonly CorpusSetting[] {
  if (process.env.DOGEAR_FUZZ === 'long') return settings
  // A half that holds each bound and each share twice.
  return settings.filter((_, row) => (((row >> 2) ^ (row & 3)) & 1) === transcript % 2)
}

const totals = { transcripts: 0, rounds: 0, folded: 0, refused: 0, restoredOriginals: 0 }
const stages = new Map<string, number>()
const counter = await scriptTokenCounter()
/** Another way to the same figure: the written request read anew and counted whole. */
const { countRequest } = await loadTokenizer()

afterAll(() => {
  const landed = [...stages].map(([stage, count]) => `${stage} ${count}`).join(', ')
  process.stdout.write(
    `corpus: ${totals.transcripts} transcripts, ${totals.rounds} rounds, ${totals.folded} folded (${landed}), ${totals.refused} refused, ${totals.restoredOriginals} originals read back\n`,
  )
})

const summarize = async ({ history }: { readonly history: string }) =>
  `What was done so far, in ${history.length} characters: files were read and compared.`

function requestOf(transcript: Transcript, length: number): JsonObject {
  return { ...transcript.request, messages: transcript.messages.slice(0, length) }
}

function rulesOf(request: JsonObject): readonly string[] {
  const wire = formats.find(({ format }) => format === detectFormat(request)?.format)
  return (wire?.lint(request) ?? []).map((fault) => fault.rule).sort()
}

function expectSound({ incoming, prepared, decision }: PlayedRequest): void {
  const sent = prepared?.request
  if (sent === undefined) return
  expect(decision.after).toBeLessThanOrEqual(decision.ceiling ?? 0)
  expect(countRequest(sent).total).toBe(decision.counted)
  const [faults, known] = [rulesOf(sent), rulesOf(incoming)]
  for (const rule of new Set(faults))
    expect(faults.filter((other) => other === rule).length).toBeLessThanOrEqual(
      known.filter((other) => other === rule).length,
    )
}

/** What of a branch's record stands in the app's list, with what it says. */
async function listedEntries(
  branch: Branch,
  texts: readonly ListedText[],
): Promise<ReadonlyMap<number, ListedText>> {
  const { messages } = await branch.getMessages({ scope: 'all' })
  const recorded = messages.filter(({ kind }) => kind !== 'note' && kind !== 'copy')
  // What stands before the list is the system.
  const list = recorded.slice(recorded.length - texts.length)
  return new Map(list.map(({ index }, position) => [index, texts[position] ?? { text: '', longestBody: 0 }]))
}

/** A refusal is right only where nothing is left that a stage could take. */
async function expectNothingLeft(
  branch: Branch,
  { incoming, decision }: PlayedRequest,
  facts: Omit<LeftToTakeOptions, 'decision'> & { readonly maxChars: number | undefined },
): Promise<void> {
  if (decision.trace.some(({ type }) => type === 'refusal_stands')) return
  const options = { ...facts, decision }
  const { messages } = await branch.getMessages({ scope: 'active' })
  expect(roundsLeftToTake(messages, options)).toEqual([])
  const entries = await listedEntries(branch, listedTexts(incoming))
  const longestBody = (index: number) => entries.get(index)?.longestBody ?? 0
  expect(resultsLeftToShorten(messages, { ...options, longestBody })).toEqual([])
}

/** Everything that came in is still there: each entry's own text, whole. */
async function expectOriginals(branch: Branch, last: JsonObject): Promise<void> {
  for (const [index, { text }] of await listedEntries(branch, listedTexts(last))) {
    expect(await readWhole(branch, index)).toBe(text)
    totals.restoredOriginals++
  }
}

async function playUnder({ share, policy }: CorpusSetting, transcript: Transcript): Promise<void> {
  const last = requestOf(transcript, transcript.rounds.at(-1) ?? 0)
  const maxInputTokens = Math.max(1, Math.floor(countRequest(last).total * share))
  const { branch, ...test } = await openTestBranch({
    counter,
    summarize,
    policy: { ...policy, maxInputTokens },
  })
  const wire = detectFormat(last)
  for (const length of transcript.rounds) {
    const played = await playRequest({ branch, ...test }, requestOf(transcript, length))
    totals.rounds++
    expectSound(played)
    for (const { stage, outcome } of played.folds)
      if (outcome === 'landed') stages.set(stage, (stages.get(stage) ?? 0) + 1)
    if (played.decision.action === 'fold') totals.folded++
    if (played.refusal !== null) {
      totals.refused++
      const outcome = wire?.read(played.incoming)
      await expectNothingLeft(branch, played, {
        margin: 0,
        maxChars: policy.toolResultMaxChars,
        placesMarks: policy.promptCaching === true && wire?.cacheMarks !== undefined,
        keepsTurnHead: outcome?.type === 'read' && outcome.request.keepsTurnHead === true,
      })
    }
    await played.prepared?.settle({ usage: null })
  }
  await expectOriginals(branch, last)
}

describe.each(folders)('%s transcripts', (folder) => {
  const files = readdirSync(join(corpus, folder)).filter((name) => name.endsWith('.json'))
  it.each(files.map((file, position) => [file, position] as const))(
    '[R100, R380] %s is played under ceilings, bounds and shares, valid, and with nothing lost',
    async (file, position) => {
      const transcript = parseTranscript(readFileSync(join(corpus, folder, file), 'utf8'))
      totals.transcripts++
      for (const setting of settingsOf(position)) await playUnder(setting, transcript)
    },
  )
})

describe('the corpus as a whole', () => {
  it('is folded by every stage somewhere, or nothing was proved', () => {
    expect([...stages.keys()].sort()).toEqual(['all', 'clip', 'reset', 'tool_io'])
  })
})
