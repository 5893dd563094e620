import type { Random } from '../testing/random.ts'
import { referenceText, referenceTextKinds } from './reference-texts.ts'

/** What chats with tools are full of, made up line by line. */
const LINES: Readonly<Record<string, (random: Random) => string>> = {
  prose: (random) => {
    const [first = '', ...words] = many(random, [6, 20], () => random.pick(WORDS))
    const end = random.pick(['.', '.', '?', '!', ':', '…'])
    return `${first.charAt(0).toUpperCase()}${[first.slice(1), ...words].join(' ')}${end}${random.chance(0.2) ? '\n' : ''}`
  },
  code: (random) => {
    const name = (): string => identifier(random)
    const line = random.pick<() => string>([
      () => `export function ${name()}(${name()}: ${name()}[], ${name()} = ${random.integer(0, 4096)}) {`,
      () =>
        `const { ${name()}, ${name()}: ${name()} } = await ${name()}.${name()}(\`\${${name()}}/${name()}\`)`,
      () =>
        `if (!${name()}?.${name()} && ${name()} !== '${random.pick(WORDS)}') return null // ${random.pick(WORDS)}`,
      () => `#include <${name()}.h>\t/* ${random.pick(WORDS)} */`,
      () => `    self.${name()} = [${many(random, [1, 5], () => random.integer(-9, 999)).join(', ')}]`,
      () => '}',
    ])
    return '  '.repeat(random.integer(0, 4)) + line()
  },
  JSON: (random) =>
    JSON.stringify(
      {
        [identifier(random)]: random.integer(0, 10 ** random.integer(1, 12)),
        path: `/srv/${many(random, [1, 5], () => random.pick(WORDS)).join('/')}`,
        ok: random.chance(0.5),
        [random.pick(WORDS)]: many(random, [0, 4], () => ({ id: hexadecimal(random, 8), at: random.next() })),
      },
      null,
      random.pick([0, 0, 2, '\t']),
    ),
  log: (random) =>
    `2031-0${random.integer(1, 9)}-${random.integer(10, 28)}T${random.integer(10, 23)}:${random.integer(10, 59)}:07.${random.integer(100, 999)}Z ` +
    `[${random.pick(['INFO', 'WARN ', 'ERROR'])}] ${identifier(random)}(${hexadecimal(random, 12)}): ${random.pick(WORDS)}=${random.integer(0, 99_999)}ms\r`,
  patch: (random) =>
    random.pick([
      `@@ -${random.integer(1, 900)},7 +${random.integer(1, 900)},9 @@ ${identifier(random)}`,
      `-    ${identifier(random)} = ${random.integer(0, 99)};`,
      `+\t${identifier(random)}(${identifier(random)});  `,
      `index ${hexadecimal(random, 7)}..${hexadecimal(random, 7)} 100644`,
      ' ',
    ]),
  markup: (random) =>
    `<${random.pick(['td', 'li', 'h2'])} class="${identifier(random)} p-${random.integer(0, 9)}" data-id='${hexadecimal(random, 6)}'>` +
    `${random.pick(WORDS)}&nbsp;&mdash; ${random.integer(1, 99)}%</li>| ${random.pick(WORDS)} | **${random.pick(WORDS)}** | \`${identifier(random)}\` |`,
}

const WORDS = oneOf(
  "the harbour keeper’s don't lamp WASN’T O’Neill e.g. naïve Zürich 3rd tide-table 12,50€ 10× №7 ﬁn ǅungla İzmir " +
    'STRASSE ß ½ маяк прилив Ναύτης شراع נמל बंदरगाह ประภาคาร 灯台 灯塔在海边。 등대 🚢 👩🏽‍🚀 <|endoftext|>',
)

/** Real-looking text of about the given UTF-16 units, one kind of line or all of them, and then mutated. */
export function referenceDocument(kind: string, random: Random, units: number): string {
  const kinds = kind === 'all' ? Object.values(LINES) : [LINES[kind]].flatMap((line) => line ?? [])
  const [line = () => '', ...lines] = kinds
  let text = ''
  while (text.length < units)
    text += `${random.pick([line, ...lines])(random)}${random.pick(['\n', '\n', ' ', '\n\n'])}`
  return mutated(text, random)
}

export const referenceDocumentKinds: readonly string[] = [...Object.keys(LINES), 'all']

/** The text after some edits, as typing, truncation and bad decoding make them. */
export function mutated(text: string, random: Random): string {
  let changed = text
  for (let edits = random.integer(0, 12); edits > 0; edits--) {
    const at = random.integer(0, changed.length)
    const end = at + random.integer(0, 40)
    const part = changed.slice(at, end)
    const edit = random.pick([
      () => '',
      () => part + part,
      () => part.toUpperCase(),
      () => part.normalize('NFD'),
      () => JSON.stringify(part).slice(1, -1),
      () => Buffer.from(part).toString('latin1'),
      () =>
        random.pick([' ', '\n', '-', '\t', 'a', '0', '你', '😀', '\ud83d']).repeat(random.integer(1, 400)),
      () => referenceText(random.pick(referenceTextKinds), random),
      () => part.slice(1) + String.fromCharCode(random.integer(0, 0xffff)),
    ])
    changed = changed.slice(0, at) + edit() + changed.slice(end)
  }
  return changed
}

function many<Part>(random: Random, [low, high]: readonly [number, number], part: () => Part): Part[] {
  return Array.from({ length: random.integer(low, high) }, part)
}

function identifier(random: Random): string {
  return random.pick([
    () => `${random.pick(NAMES)}${random.pick(NAMES).toUpperCase()}${random.integer(0, 99)}`,
    () => `${random.pick(NAMES)}_${random.pick(NAMES)}`,
    () => random.pick(NAMES) + random.pick(['Handler', 'Count', 'sByID', 'HTTPUrl', '$', '']),
  ])()
}

const NAMES = oneOf('fold entry ceiling tide xs berth queue Node i getLamp')

function oneOf(words: string): readonly [string, ...string[]] {
  const [first = '', ...rest] = words.split(' ')
  return [first, ...rest]
}

function hexadecimal(random: Random, digits: number): string {
  return many(random, [digits, digits], () => random.integer(0, 15).toString(16)).join('')
}
