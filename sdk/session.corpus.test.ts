import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Branch, MessagePreview } from './branch.ts'
import { isObject, type JsonObject } from './engine/json.ts'
import { InputCeilingError } from './errors.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { scriptTokenCounter } from './testing/script-token-counter.ts'
import { loadTokenizer } from './tokenizer.ts'
import { parseTranscript, type Transcript } from './transcript/transcript.ts'
import { detectFormat, formats } from './wire/detect.ts'

const corpus = join(process.env.DOGEAR_SHARED ?? '', 'data', 'corpus')
const folders = ['openai-chat', 'anthropic-messages'] as const
const shares = [1, 1 / 2, 1 / 4, 1 / 8]

const totals = { transcripts: 0, rounds: 0, folded: 0, refused: 0, restoredOriginals: 0 }
const counter = await scriptTokenCounter()
/** Another way to the same figure: the written request read anew and counted whole. */
const { countRequest } = await loadTokenizer()

afterAll(() => {
  process.stdout.write(
    `corpus: ${totals.transcripts} transcripts, ${totals.rounds} rounds, ${totals.folded} folded, ${totals.refused} refused, ${totals.restoredOriginals} originals read back\n`,
  )
})

function requestOf(transcript: Transcript, length: number): JsonObject {
  return { ...transcript.request, messages: transcript.messages.slice(0, length) }
}

function rulesOf(request: JsonObject): readonly string[] {
  const wire = formats.find(({ format }) => format === detectFormat(request)?.format)
  return (wire?.lint(request) ?? []).map((fault) => fault.rule).sort()
}

/** Whether a round stands in the view that a fold could still take: read, outside the tail of two, not the head. */
function foldableLeft(active: readonly MessagePreview[]): boolean {
  const counted = active.filter(({ kind }) => kind !== 'note' && kind !== 'system')
  const tail = new Set(counted.slice(-2).map(({ index }) => index))
  const head = counted[0]?.index
  const rounds = new Map<number, MessagePreview[]>()
  let answer = -1
  for (const entry of [...counted].sort((a, b) => a.index - b.index)) {
    if (entry.kind === 'answer') answer = entry.index
    if (entry.kind === 'answer' || entry.kind === 'call' || entry.kind === 'result')
      rounds.set(answer, [...(rounds.get(answer) ?? []), entry])
  }
  return [...rounds].some(([id, entries]) => {
    if (id < 0 || entries.some(({ index }) => tail.has(index) || index === head)) return false
    const exchange = entries.filter(({ kind }) => kind !== 'answer')
    return exchange.length > 0 && exchange.every(({ delivered }) => delivered)
  })
}

async function expectNothingLeft(branch: Branch): Promise<void> {
  const { messages } = await branch.getMessages({ scope: 'active' })
  expect(foldableLeft(messages)).toBe(false)
}

async function readWhole(branch: Branch, index: number): Promise<string> {
  let text = ''
  for (let offset: number | null = 0; offset !== null; ) {
    const slice = await branch.readResult({ index, offset, limit: 16_000 })
    text += slice.text
    offset = slice.nextOffset
  }
  return text
}

/** Everything that came in is still there: each draft's own text, whole. */
async function expectOriginals(branch: Branch, transcript: Transcript): Promise<void> {
  const request = requestOf(transcript, transcript.messages.length)
  const wire = detectFormat(request)
  const read = wire?.read(request)
  if (!wire || read?.type !== 'read') throw new TypeError('the transcript was readable a moment ago')
  const expected = read.request.messages
    .slice(0, (transcript.rounds.at(-1) ?? 0) - read.request.leading.length)
    .flatMap((message) =>
      wire.readMessage(JSON.parse(JSON.stringify(message))).drafts.map(({ text }) => text),
    )
  const { messages } = await branch.getMessages({ scope: 'all' })
  const recorded = messages.filter(({ kind }) => kind !== 'note')
  // What stands before the list is the system.
  const list = recorded.slice(recorded.length - expected.length)
  for (const [position, { index }] of list.entries()) {
    expect(await readWhole(branch, index)).toBe(expected[position])
    totals.restoredOriginals++
  }
}

describe.each(folders)('%s transcripts', (folder) => {
  const files = readdirSync(join(corpus, folder)).filter((name) => name.endsWith('.json'))
  it.each(files)(
    '[R100, R380] %s is played under every ceiling, valid, under it, and with nothing lost',
    async (file) => {
      const transcript = parseTranscript(readFileSync(join(corpus, folder, file), 'utf8'))
      totals.transcripts++
      const last = requestOf(transcript, transcript.rounds.at(-1) ?? 0)
      const { branch: measuring } = await openTestBranch({ counter })
      const { counted } = (await measuring.prepare(last)).decision
      for (const share of shares) {
        const ceiling = Math.max(1, Math.floor(counted * share))
        const { branch } = await openTestBranch({ counter, policy: { maxInputTokens: ceiling } })
        for (const length of transcript.rounds) {
          const incoming = requestOf(transcript, length)
          totals.rounds++
          try {
            const prepared = await branch.prepare(incoming)
            const { request, decision } = prepared
            expect(decision.after).toBeLessThanOrEqual(ceiling)
            if (decision.action === 'fold') {
              totals.folded++
              expect(countRequest(request).total).toBe(decision.counted)
            }
            expect(isObject(request)).toBe(true)
            const faults = rulesOf(request as JsonObject)
            const known = rulesOf(incoming)
            for (const rule of new Set(faults))
              expect(faults.filter((other) => other === rule).length).toBeLessThanOrEqual(
                known.filter((other) => other === rule).length,
              )
            await prepared.settle({ usage: null })
          } catch (error) {
            if (!(error instanceof InputCeilingError)) throw error
            totals.refused++
            await expectNothingLeft(branch)
          }
        }
        await expectOriginals(branch, transcript)
      }
    },
  )
})

describe('the corpus as a whole', () => {
  it('is folded somewhere, or nothing was proved', () => {
    expect(totals.folded).toBeGreaterThan(0)
  })
})
