import type { ProviderAnswer, ProviderTurn } from '../provider/turn.ts'
import { DOCUMENTS, documentName, wanted } from './documents.ts'

/** Every so many steps two documents are read at once. */
const FAN = 7

/**
 * A model that does the rehearsal's task from what a request holds, and from nothing else: it goes on with the
 * document after the newest one that it sees any sign of, reads back through the context tool what it needs and no
 * longer sees, and tells the codes that it has before it at the end.
 */
export function rehearse(turn: ProviderTurn): ProviderAnswer {
  if (turn.system.includes('You write the record that stands'))
    return {
      text: 'The user wants documents read in order and three codes told; the codes are to be read again.',
    }
  const seen = everything(turn)
  const newest = Math.max(0, ...[...seen.matchAll(/doc-(\d\d)"/g)].map(([, number]) => Number(number)))
  if (newest < DOCUMENTS) {
    const count = newest > 0 && newest % FAN === 0 && newest + 2 <= DOCUMENTS ? 2 : 1
    const names = Array.from({ length: count }, (_, place) => documentName(newest + 1 + place))
    return {
      text: newest === 0 ? 'I begin.' : remark(newest),
      reasoning: `Next come ${names.join(' and ')}.`,
      calls: names.map((name) => ({ name: 'read_document', arguments: { name } })),
    }
  }
  const known = wanted.map((name) => [name, codeIn(turn, name)] as const)
  const missing = known.flatMap(([name, code]) => (code === null ? [name] : []))
  const calls = missing.flatMap((name) => readBack(turn, seen, name))
  if (calls.length > 0) return { reasoning: 'Some of it is folded.', calls }
  const told = known.map(([name, code]) => `${name}: ${code ?? 'not known'}`)
  return { text: `The codes are ${told.join(', ')}.` }
}

/** All words, calls and results that the request holds. */
function everything({ messages }: ProviderTurn): string {
  return messages
    .map(({ text, calls, results }) =>
      [
        text,
        ...calls.map((call) => `${call.name}(name="${String(call.arguments.name)}")`),
        ...results.map((result) => result.text),
      ].join('\n'),
    )
    .join('\n')
}

function codeIn({ messages }: ProviderTurn, name: string): string | null {
  const pattern = new RegExp(`The code of ${name} is (\\d{7})`)
  for (const { results } of messages)
    for (const { text } of results) {
      const [, code] = pattern.exec(text) ?? []
      if (code !== undefined) return code
    }
  return null
}

/** By the number that a note gives it. */
function readBack({ tools }: ProviderTurn, seen: string, name: string): NonNullable<ProviderAnswer['calls']> {
  const tool = tools.find(({ schema }) => JSON.stringify(schema).includes('read_result'))
  const [, index] = new RegExp(`#(\\d+) read_document\\(name="${name}"\\)`).exec(seen) ?? []
  if (tool === undefined || index === undefined) return []
  return [
    { name: tool.name, arguments: { action: 'read_result', index: Number(index), offset: 0, limit: 4000 } },
  ]
}

/** Long enough that in the end the words, too, have to give way. */
function remark(number: number): string {
  const about = Array.from({ length: 40 }, (_, word) => `remark${(word * 11 + number * 3) % 89}`)
  return `The document before this one told of visitors and letters: ${about.join(' ')}.`
}
