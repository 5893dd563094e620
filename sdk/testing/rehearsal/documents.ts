/** How many documents there are. */
const DOCUMENTS = 40

/** What the task asks about: a search for it is made early, and folded long before the end. */
const WORD = 'lantern'

const holders: readonly string[] = [2, 9, 16].map(documentName)

export function documentName(number: number): string {
  return `doc-${String(number).padStart(2, '0')}`
}

const names: readonly string[] = Array.from({ length: DOCUMENTS }, (_, place) => documentName(place + 1))

/** The code of a document, which nobody can know who has not read it. */
function codeOf(name: string): string {
  let hash = 0x811c9dc5
  for (const character of `code of ${name}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
    hash ^= hash >>> 13
  }
  return String((hash >>> 0) % 10_000_000).padStart(7, '0')
}

function copiesOf(name: string): number {
  return (Number(codeOf(name)) % 8) + 2
}

const subjects = ['harbour', 'orchard', 'workshop', 'archive', 'observatory', 'kitchen', 'station']

function subjectOf(name: string): string {
  return subjects[Number(name.slice(-2)) % subjects.length] ?? ''
}

/** Some pages on one subject, with the code somewhere in the middle; one document is far longer than the others. */
export function documentText(name: string): string {
  if (!names.includes(name)) return `There is no document named ${name}.`
  const number = Number(name.slice(-2))
  const lines = number === 20 ? 160 : 16
  const text = Array.from(
    { length: lines },
    (_, line) =>
      `${line + 1}. In the ${subjectOf(name)} of entry ${number}, day ${(line * 13 + number) % 365} brought ${(line * 29 + number * 7) % 101} visitors and ${(line * 17 + number) % 53} letters.`,
  )
  const found = holders.includes(name) ? [`A ${WORD} was left at the door.`] : []
  text.splice(5, 0, `The code of ${name} is ${codeOf(name)}.`, ...found)
  return text.join('\n')
}

export function documentList(): string {
  return names.map((name) => `${name}: ${subjectOf(name)}, ${copiesOf(name)} copies`).join('\n')
}

export function documentsWith(word: string): string {
  const found = names.filter((name) => documentText(name).includes(word))
  return `${word} is in ${found.length === 0 ? 'no document' : found.join(', ')}.`
}

export const task = `List the documents with list_documents, search them for "${WORD}" with search_documents, then read ${documentName(1)} to ${documentName(DOCUMENTS)} in their order with read_document, and say in a sentence what each is about. When you have read them all, tell me of each document that has the word its code and how many copies there are of it, and what the codes of all these copies add up to.`

/** What the task comes to. */
export const solution = solutionOf(
  holders.map((name) => ({ name, code: codeOf(name), copies: copiesOf(name) })),
)

export interface FoundDocument {
  readonly name: string
  readonly code: string
  readonly copies: number
}

/** The last words of whoever has found these. */
export function solutionOf(found: readonly FoundDocument[]): string {
  const each = found.map(({ name, code, copies }) => `${name}: ${code} in ${copies} copies`)
  const sum = found.reduce((total, { code, copies }) => total + Number(code) * copies, 0)
  return `The codes are ${each.join(', ')}; together they add up to ${sum}.`
}
