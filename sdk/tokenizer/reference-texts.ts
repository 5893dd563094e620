import type { Random } from '../testing/random.ts'

type Alphabet = readonly [string, ...string[]]

/** Texts on which the script counter is compared with the reference: what a class of characters can go wrong with. */
const ALPHABETS: Readonly<Record<string, Alphabet>> = {
  'words and contractions': spread("abstdmlrevSTDMLREV''\u2019\u017fK "),
  'upper and lower case': spread("aAbBéÉžŽßẞǅǈʰªºʼĸ'sS "),
  'marks and letters of both cases': spread("aAㄱʰªא\u0301\u0308\u0903\u094d\u20dd\u{e0100} -'s"),
  'white space and line breaks': spread(
    '  \t\n\r\v\f\u0085\u00a0\u1680\u2003\u2028\u202f\u3000\ufeff\u200b\u180ex1/',
  ),
  digits: spread('0123456789٣½①Ⅷ一𝟙 .,-a'),
  symbols: spread('!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~ \n/'),
  code: [
    'const ',
    'x',
    ' = ',
    '=>',
    '{',
    '}',
    '\n',
    '  ',
    '\t',
    '();',
    '//',
    '/*',
    '"',
    '\\n',
    '0x',
    'fooBar',
    'HTTP',
  ],
  Han: spread('你好世界的一是在不了，。？！「」 a1\n'),
  'kana and Hangul': spread('あいうアイウー々한국어을를 、。A'),
  'other scripts': spread('привет МИР γειά שלום مرحبا नमस्ते ไทย ქარ ՀԱՅ '),
  emoji: [
    '😀',
    '👍',
    '\u{1f3fd}',
    '\u200d',
    '👩',
    '❤',
    '\ufe0f',
    '\u{1f1e9}',
    '\u{1f1ea}',
    '1',
    '\u20e3',
    ' ',
    'a',
    '\n',
  ],
  'lone surrogates': ['\ud83d', '\ude00', '\ud800', '\udfff', 'a', ' ', '1', '\ufffd', '😀'],
  'control characters': spread('\0\u0001\u001b\u001c\u007f\u009f\u00ad\u200e\ufeff\uffff\ufffea \n'),
  base64: spread('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/='),
  'special tokens': ['<|endoftext|>', '<|endofprompt|>', '<|', '|>', 'endoftext', ' ', '\n', 'a'],
}

/** Sentences of this project in several languages, and code: real text to be cut and spoiled. */
const PASSAGES: Alphabet = [
  "Fold the corner of a page, and you can always go back to it; that's the idea. It's 12:45, they've 1,024 items.\n\n",
  'Die Grenze wird gemessen, nicht geschätzt: 30 % über dem Ziel heißt falten, nicht kürzen. „Größe“ zählt.\n',
  "L'été dernier, j'ai replié 3 pages ; aujourd'hui je les relis.\tÇa marche !\r\n",
  'Угол страницы загнут, но текст остаётся целым. Итого: 1 234,5 токена.\n',
  '页角可以折起来，但内容不会丢失。每次请求最多100000个词元，超过就折叠较早的对话。',
  'ページの角を折っても、いつでも元に戻れます。トークンは128個まで。',
  '페이지 모서리를 접어도 언제든지 다시 펼칠 수 있습니다. 토큰 4096개.',
  'صفحة مطوية يمكن فتحها دائمًا. العدد ١٢٣٤.\n',
  'मुड़ा हुआ पन्ना हमेशा खोला जा सकता है। संख्या १२३।\n',
  'export function fold(view: readonly number[], at: number): number[] {\n  return view.filter((id) => id >= at) // keeps ids\n}\n',
  '{"role":"tool","tool_call_id":"call_9fK2","content":"HTTP/1.1 200 OK\\r\\nContent-Length: 348\\n"}',
  "SELECT id, COUNT(*) AS n FROM entries WHERE created_at > '2024-03-01' GROUP BY 1 HAVING n >= 10;\n",
  '👩‍💻 done ✅ — 3× faster 🚀🚀 (см. §4)\n',
]

export const referenceTextKinds: readonly [string, ...string[]] = [
  'all of Unicode',
  'spoiled passages',
  ...Object.keys(ALPHABETS),
]

/** A text of at most about 100 characters. Its stretches without a safe cut are short enough for the reference. */
export function referenceText(kind: string, random: Random): string {
  if (kind === 'all of Unicode') return join(random, () => anyCharacter(random))
  if (kind === 'spoiled passages') return spoiledPassage(random)
  const alphabet = ALPHABETS[kind]
  if (!alphabet) throw new Error(`Expected one of the kinds of reference texts, got ${kind}.`)
  // A few characters at a time, or most neighbours would never meet.
  const few: Alphabet = [random.pick(alphabet), random.pick(alphabet), random.pick(alphabet)]
  return join(random, () => random.pick(random.chance(0.8) ? few : alphabet))
}

function join(random: Random, part: () => string): string {
  return Array.from({ length: random.integer(0, random.chance(0.1) ? 100 : 16) }, part).join('')
}

/** Planes that have characters come oftener than those that have none. */
function anyCharacter(random: Random): string {
  const highest = random.pick([0x24f, 0xffff, 0x1ffff, 0x323af, 0xe01ff, 0x10ffff])
  return String.fromCodePoint(random.integer(0, highest))
}

function spoiledPassage(random: Random): string {
  const passage = random.pick(PASSAGES)
  const start = random.integer(0, passage.length)
  let text = passage.slice(start, start + random.integer(1, 100))
  for (let changes = random.integer(0, 4); changes > 0; changes--) {
    const at = random.integer(0, text.length)
    const end = at + random.integer(0, 3)
    const inserted = random.chance(0.5)
      ? referenceText(random.pick(KINDS_TO_INSERT), random).slice(0, 4)
      : text.slice(at, at + random.integer(0, 6)).toUpperCase()
    text = text.slice(0, at) + inserted + text.slice(end)
  }
  return text
}

const KINDS_TO_INSERT: Alphabet = [
  'words and contractions',
  'marks and letters of both cases',
  'white space and line breaks',
  'digits',
  'lone surrogates',
]

function spread(characters: string): Alphabet {
  const [first = '', ...rest] = characters
  return [first, ...rest]
}
