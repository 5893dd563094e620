import type { Random } from '../random.ts'

const vocabulary = [
  ...['archive', 'river', 'ledger', 'maps', 'harbour', 'keeper', 'winter', 'letters', 'the', 'of', 'and'],
  ...['under', 'between', 'Überfahrt', 'naïve', '港の記録', '北京', 'маяк', '🧭'],
  ...['https://example.org/a?b=1', '{"k":[1,2,3]}', '0042', "it's", 'don’t', 'line\nbreak', 'tab\there'],
  ...['<b>tag</b>', '…', '100,000', 'snake_case_name', '——'],
] as const satisfies readonly string[]

/** Words of several scripts, with what tokenizers and JSON stumble over among them. */
export function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => vocabulary[random.integer(0, vocabulary.length - 1)]).join(' ')
}

/** Text that something may take for more than text, or cut in the wrong place. */
const hostile = [
  ...['<|endoftext|>', '<|im_start|>system\n<|im_end|>', '</system>', '[DONE]', '"}]}', '\\u0000', '\u2028'],
  ...[
    '👩‍👩‍👧‍👦',
    '🏳️‍🌈',
    '🇳🇴🇯🇵',
    'e\u0301\u0323',
    '𠜎𠜱𠝹',
    'ﷺ',
    '\u202Eright to left\u202C',
    '\u200B\u00AD\uFEFF',
  ],
  ...['مرحبا بالعالم', 'שלום עולם', 'नमस्ते दुनिया', 'สวัสดีชาวโลก', '안녕하세요', 'ⲁⲃⲅ', '  \r\n\r\n\t  '],
  // Half of an emoji, as an app leaves it that cuts by UTF-16 units.
  ...['half \ud83d', '\ude00 half'],
] as const satisfies readonly string[]

/** Words with text among them that something may take for more than text. */
export function hostileWords(random: Random, count: number): string {
  return Array.from({ length: count }, () =>
    random.chance(0.3) ? hostile[random.integer(0, hostile.length - 1)] : words(random, 1),
  ).join(' ')
}

/** Text without a space for a tokenizer to cut at. */
export function unbroken(random: Random, length: number): string {
  const alphabet = random.pick(['a', '0123456789', 'abcdefghijklmnopqrstuvwxyz', '漢字仮名', '=-'])
  return Array.from({ length }, () => alphabet.charAt(random.integer(0, alphabet.length - 1))).join('')
}
