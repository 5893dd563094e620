import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { type Random, seededRandom } from '../testing/random.ts'

/** UTF-8 bytes of each text, give or take a character. */
const BYTES = 1_000_000
const LOWER_CASE = 'abcdefghijklmnopqrstuvwxyz'
const BASE64 = `${LOWER_CASE.toUpperCase()}${LOWER_CASE}0123456789+/`

/** Six kinds of text, the same on every machine with the same packages. */
export const texts: Readonly<Record<string, () => string>> = {
  English: () => filled(packageFiles(/\.md$/i)),
  'code JSON': () => filled(map(packageFiles(/\.(ts|js)$/), asToolMessage)),
  Chinese: () => filled(generated(chineseSentence)),
  emoji: () => filled(generated(emojiMessage)),
  base64: () => filled(generated((random) => characters(random, BASE64, 76))),
  'minified JS': () =>
    filled(map(packageFiles(/\.js$/), (code) => transformSync(code, { minify: true }).code)),
}

/** Texts on which a counter that is not linear shows it, with as many UTF-16 units as asked. */
export const runs: Readonly<Record<string, (units: number) => string>> = {
  'one letter': (units) => 'a'.repeat(units),
  spaces: (units) => ' '.repeat(units),
  'line feeds': (units) => '\n'.repeat(units),
  CRLF: (units) => '\r\n'.repeat(units / 2),
  tabs: (units) => '\t'.repeat(units),
  dashes: (units) => '-'.repeat(units),
  emoji: (units) => '😀'.repeat(units / 2),
  'Han, no punctuation': (units) => generatedUnits(units, (random) => random.pick(HAN_WORDS)),
  'lower-case noise': (units) => generatedUnits(units, (random) => characters(random, LOWER_CASE, 64)),
  base64: (units) => generatedUnits(units, (random) => characters(random, BASE64, 64)),
}

const HAN_WORDS = [
  ...['我们', '可以', '使用', '这个', '方法', '来', '处理', '数据', '因为', '它', '的', '结果', '是', '正确'],
  ...[
    '系统',
    '会',
    '自动',
    '检查',
    '文件',
    '中',
    '是否',
    '存在',
    '错误',
    '如果',
    '没有',
    '问题',
    '就',
    '继续',
    '运行',
  ],
  ...[
    '用户',
    '需要',
    '输入',
    '密码',
    '然后',
    '点击',
    '按钮',
    '时间',
    '不',
    '超过',
    '五',
    '分钟',
    '否则',
    '请求',
    '失败',
  ],
  ...[
    '昨天',
    '下午',
    '天气',
    '很好',
    '孩子',
    '在',
    '公园',
    '里',
    '玩',
    '老师',
    '说',
    '明天',
    '有',
    '考试',
    '大家',
  ],
  ...[
    '中国',
    '经济',
    '发展',
    '速度',
    '了',
    '一个',
    '新',
    '阶段',
    '城市',
    '和',
    '农村',
    '之间',
    '差距',
    '逐渐',
    '缩小',
  ],
  ...[
    '服务器',
    '响应',
    '太慢',
    '请',
    '重新',
    '配置',
    '网络',
    '参数',
    '并',
    '更新',
    '软件',
    '版本',
    '到',
    '最新',
    '状态',
  ],
] as [string, ...string[]]

function chineseSentence(random: Random): string {
  // The squared chance makes some words much commoner than others, as in a language.
  const word = () => HAN_WORDS[Math.floor(random.next() ** 2 * HAN_WORDS.length)]
  const sentence = Array.from({ length: random.integer(4, 18) }, word).join('')
  return sentence + random.pick(['。', '，', '；', '？', '。\n'])
}

function emojiMessage(random: Random): string {
  const emoji = () => {
    const face = String.fromCodePoint(random.pick([0x1f300, 0x1f600, 0x1f900]) + random.integer(0, 0x4f))
    return (
      face +
      random.pick(['', '', '', String.fromCodePoint(0x1f3fb + random.integer(0, 4)), '\u200d👩', '\ufe0f'])
    )
  }
  return (
    Array.from({ length: random.integer(1, 12) }, emoji).join('') + random.pick([' ', '\n', '! ', ' ok '])
  )
}

function characters(random: Random, from: string, length: number): string {
  return Array.from({ length }, () => from.charAt(random.integer(0, from.length - 1))).join('')
}

function asToolMessage(content: string, index: number): string {
  return JSON.stringify({ role: 'tool', tool_call_id: `call_${index}`, content })
}

function* generated(part: (random: Random) => string): Iterable<string> {
  for (const random = seededRandom(BYTES); ; ) yield part(random)
}

function generatedUnits(units: number, part: (random: Random) => string): string {
  const random = seededRandom(units)
  let text = ''
  while (text.length < units) text += part(random)
  return text.slice(0, units)
}

function* packageFiles(name: RegExp): Iterable<string> {
  const folder = join(import.meta.dirname, '../../node_modules')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => name.test(file))
  for (const file of files.sort()) {
    const text = readFileSync(join(folder, file), 'utf8')
    // Most counters throw where a text names a special token.
    if (text.length < BYTES / 10 && !text.includes('<|endoftext|>')) yield text
  }
}

function* map(parts: Iterable<string>, change: (part: string, index: number) => string): Iterable<string> {
  let index = 0
  for (const part of parts) yield change(part, index++)
}

function filled(parts: Iterable<string>): string {
  const chosen: string[] = []
  let bytes = 0
  for (const part of parts) {
    chosen.push(part)
    bytes += Buffer.byteLength(part)
    if (bytes >= BYTES) break
  }
  return Buffer.from(chosen.join('')).subarray(0, BYTES).toString()
}
