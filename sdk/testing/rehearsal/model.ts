import type { JsonObject } from '../../engine/json.ts'
import type { ProviderAnswer, ProviderTurn } from '../provider/turn.ts'
import { documentName, type FoundDocument, solutionOf } from './documents.ts'

/** Every so many documents two are read at once. */
const FAN = 10

/**
 * A model that does the rehearsal's task from what a request holds, and from nothing else: it goes on with the
 * document after the newest one that it sees any sign of, reads back in the way that a note tells what it needs and no
 * longer sees, and tells at the end what it has before it.
 */
export function rehearse(turn: ProviderTurn): ProviderAnswer {
  if (turn.system.includes('You write the record that stands'))
    return {
      text: 'The user wants documents listed, searched and read in order, and at the end told of those that were found; the results are to be read again.',
    }
  if (turn.tools.length === 0) return { text: 'Nothing can be read without tools.' }
  const seen = everything(turn)
  const { word, last } = asked(seen)
  if (!seen.includes('list_documents('))
    return { reasoning: 'What is there?', calls: [{ name: 'list_documents', arguments: {} }] }
  if (!seen.includes('search_documents('))
    return {
      reasoning: 'The word comes first.',
      calls: [{ name: 'search_documents', arguments: { word } }],
    }
  const newest = Math.max(0, ...[...seen.matchAll(/doc-(\d\d)"/g)].map(([, number]) => Number(number)))
  return newest < last ? readOn(newest, last) : conclude(turn, seen, word)
}

/** All words, calls and results that the request holds. */
function everything({ messages }: ProviderTurn): string {
  return messages
    .map(({ text, calls, results }) =>
      [
        text,
        ...calls.map((call) => `${call.name}(${argumentsText(call.arguments)})`),
        ...results.map((result) => result.text),
      ].join('\n'),
    )
    .join('\n')
}

function argumentsText(args: JsonObject): string {
  return Object.entries(args)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(', ')
}

/** The task as it stands in the request. */
function asked(seen: string): { readonly word: string; readonly last: number } {
  const [, word = ''] = /search them for "(\w+)"/.exec(seen) ?? []
  const [, last = ''] = /then read doc-01 to doc-(\d\d)/.exec(seen) ?? []
  return { word, last: Number(last) }
}

function readOn(newest: number, last: number): ProviderAnswer {
  const count = newest > 0 && newest % FAN === 0 && newest + 2 <= last ? 2 : 1
  const names = Array.from({ length: count }, (_, place) => documentName(newest + 1 + place))
  return {
    ...(newest === 0 ? {} : { text: remark(newest) }),
    reasoning: `Next come ${names.join(' and ')}.`,
    calls: names.map((name) => ({ name: 'read_document', arguments: { name } })),
  }
}

/** Long enough that in the end the words, too, have to give way. */
function remark(number: number): string {
  const about = Array.from({ length: 40 }, (_, word) => `remark${(word * 11 + number * 3) % 89}`)
  return `The document before this one told of visitors and letters: ${about.join(' ')}.`
}

/**
 * What is needed last is known from what was found first. Reads back one thing after the other, and each time says
 * what it has by then: what it read may be folded again before the next answer, its newest words are not.
 */
function conclude(turn: ProviderTurn, seen: string, word: string): ProviderAnswer {
  const holders = find(seen, new RegExp(`${word} is in ((?:doc-\\d\\d(?:, )?)+)\\.`))
  if (holders === null) return readBack(turn, seen, { call: `search_documents(word="${word}")`, facts: [] })
  // In the words of what was read, so that it is found in these as well.
  const facts = [`${word} is in ${holders}.`]
  const counted: Pick<FoundDocument, 'name' | 'copies'>[] = []
  for (const name of holders.split(', ')) {
    const [fact, copies] = new RegExp(`${name}: \\w+, (\\d+) copies`).exec(seen) ?? []
    if (fact === undefined) return readBack(turn, seen, { call: 'list_documents()', facts })
    facts.push(`${fact}.`)
    counted.push({ name, copies: Number(copies) })
  }
  const found: FoundDocument[] = []
  for (const { name, copies } of counted) {
    const code = find(seen, new RegExp(`The code of ${name} is (\\d{7})\\.`))
    if (code === null) return readBack(turn, seen, { call: `read_document(name="${name}")`, facts })
    facts.push(`The code of ${name} is ${code}.`)
    found.push({ name, code, copies })
  }
  return { text: solutionOf(found) }
}

function find(seen: string, pattern: RegExp): string | null {
  return pattern.exec(seen)?.[1] ?? null
}

/** By the number that a note gives a call, and with the call that the note tells to make. */
function readBack(
  { tools }: ProviderTurn,
  seen: string,
  { call, facts }: { readonly call: string; readonly facts: readonly string[] },
): ProviderAnswer {
  const [, tool, action = '', offset, limit] =
    /To read one: (\w+)\(action="(\w+)", index=<its number>, offset=(\d+), limit=(\d+)\)/.exec(seen) ?? []
  const escaped = call.replaceAll(/[()]/g, '\\$&')
  const index = find(seen, new RegExp(`#(\\d+) ${escaped}`))
  if (index === null || tool === undefined || !tools.some(({ name }) => name === tool))
    return { text: 'The codes are not known any more.' }
  const args = { action, index: Number(index), offset: Number(offset), limit: Number(limit) }
  return {
    ...(facts.length === 0 ? {} : { text: facts.join(' ') }),
    reasoning: 'That is folded.',
    calls: [{ name: tool, arguments: args }],
  }
}
