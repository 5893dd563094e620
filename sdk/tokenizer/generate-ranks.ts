import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { packTiktokenRanks, type TiktokenRanks } from './tiktoken-ranks.ts'

/**
 * Writes `ranks.generated.js` from the vocabulary that @dqbd/tiktoken ships; does nothing where the file was made
 * from the same vocabulary by the same code.
 */
const source = createRequire(import.meta.url).resolve('@dqbd/tiktoken/encoders/o200k_base.json')
const target = beside('ranks.generated.js')

const digest = createHash('sha256')
for (const input of [source, import.meta.filename, ...['ranks.ts', 'tiktoken-ranks.ts'].map(beside)]) {
  digest.update(readFileSync(input))
}
const stamp = `// ${digest.digest('hex')}\n`

if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(stamp)) {
  const vocabulary: TiktokenRanks = JSON.parse(readFileSync(source, 'utf8'))
  const { size, digits } = packTiktokenRanks(vocabulary)
  writeFileSync(
    target,
    `${stamp}export const packedRanks = { size: ${size}, digits: ${JSON.stringify(digits)} }\n`,
  )
}

function beside(name: string): string {
  return join(import.meta.dirname, name)
}
