/** How many documents there are. */
export const DOCUMENTS = 34

/** Those whose codes the task asks for: read early, and folded long before the end. */
export const wanted: readonly string[] = [2, 9, 16].map(documentName)

export function documentName(number: number): string {
  return `doc-${String(number).padStart(2, '0')}`
}

/** The code of a document, which nobody can know who has not read it. */
function codeOf(name: string): string {
  let hash = 7
  for (const character of `code of ${name}`) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return String(hash).padStart(7, '0')
}

const subjects = ['harbour', 'orchard', 'workshop', 'archive', 'observatory', 'kitchen', 'station']

/** Some pages on one subject, with the code somewhere in the middle; one document is far longer than the others. */
export function documentText(name: string): string {
  const number = Number(name.slice(-2))
  const subject = subjects[number % subjects.length]
  const lines = number === 20 ? 160 : 16
  const text = Array.from(
    { length: lines },
    (_, line) =>
      `${line + 1}. In the ${subject} of entry ${number}, day ${(line * 13 + number) % 365} brought ${(line * 29 + number * 7) % 101} visitors and ${(line * 17 + number) % 53} letters.`,
  )
  text.splice(5, 0, `The code of ${name} is ${codeOf(name)}.`)
  return text.join('\n')
}

export const task = `Read the documents ${documentName(1)} to ${documentName(DOCUMENTS)} in their order with read_document, and say in a sentence what each is about. When you have read them all, tell me the codes of ${wanted.join(', ')}.`

/** What the task comes to. */
export const solution = `The codes are ${wanted.map((name) => `${name}: ${codeOf(name)}`).join(', ')}.`
