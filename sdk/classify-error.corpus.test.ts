import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { classifyError } from './classify-error.ts'
import type { OverflowFacts } from './engine/overflow-facts.ts'

interface RecordedError {
  readonly provider: string
  readonly status: number
  readonly body: string
  readonly body_json?: unknown
  readonly category: string
}

const errors = join(process.env.DOGEAR_SHARED ?? '', 'data', 'errors')

function recorded(file: string): readonly (readonly [name: string, row: RecordedError])[] {
  const rows: readonly RecordedError[] = JSON.parse(readFileSync(join(errors, file), 'utf8'))
  return rows.map((row, position) => [`${position} ${row.provider} ${row.status} ${row.category}`, row])
}

const kinds: Readonly<Record<string, OverflowFacts['kind']>> = {
  context: 'context',
  'context+output': 'context-and-output',
  'request-bytes': 'request-bytes',
}

/** A body as its text, as it is parsed, as it comes where nothing else is known of it, and as it is thrown. */
function forms({ body, body_json: parsed, status }: RecordedError): readonly (OverflowFacts | null)[] {
  return [
    classifyError(body, { status }),
    classifyError(new Error(body), { status }),
    ...(parsed === undefined ? [] : [classifyError(parsed, { status }), classifyError(parsed)]),
  ]
}

/** Whatever is as long as no status, version or part of an id. */
function sizesIn(body: string): readonly number[] {
  return (body.match(/(?<![\w-]|code['"]: ?)\d{4,}(?![\w-])/g) ?? []).map(Number)
}

/** By how much, in characters, or by part: what is not told in the words of the facts. */
const toldOtherwise = /by \d+ tokens|characters|in the functions|of tool input/

describe('a recorded overflow', () => {
  const overflows = recorded('overflow.json')

  it.each(overflows)('[R321, R322] is one: %s', (_name, row) => {
    for (const facts of forms(row)) expect(facts?.kind).toBe(kinds[row.category])
  })

  it.each(overflows.filter(([, { body }]) => !toldOtherwise.test(body)))(
    '[R321] has every size of its words in the facts, and no other: %s',
    (_name, row) => {
      for (const facts of forms(row)) {
        const { limit, got, output } = facts ?? {}
        const known = [limit, got, output].filter((size) => size !== undefined)
        // A total is told beside its parts.
        const told = [...known, (got ?? 0) + (output ?? 0)]
        expect(sizesIn(row.body).filter((size) => !told.includes(size))).toEqual([])
        expect(known.filter((size) => !row.body.includes(`${size}`))).toEqual([])
      }
    },
  )
})

describe('a recorded error of another kind', () => {
  it.each(recorded('not_overflow.json'))('[R322] is no overflow: %s', (_name, row) => {
    expect(forms(row).filter((facts) => facts !== null)).toEqual([])
  })
})
