import { describe, expect, it } from 'vitest'
import { clipBench, landed } from '../../testing/clip-context.ts'
import { withCopy } from '../../testing/made-entries.ts'
import type { JsonValue } from '../json.ts'
import { codePoints } from '../text.ts'

const marker =
  /\n\[(\d+) of (\d+) characters omitted: (\d+)-(\d+)\. context\(action="read_result", index=(\d+), offset=(\d+), limit=(\d+)\); continue at next_offset, stop at (\d+)\]\n/

function numbers(length: number): string {
  return Array.from({ length: Math.ceil(length / 6) }, (_, line) => `${line} `.padStart(6, '0'))
    .join('')
    .slice(0, length)
}

/** The golden example: four characters are a token, and nothing but the words is counted. */
function golden(contents: readonly JsonValue[] = ['a'.repeat(24_000), 'b'.repeat(8000), 'c'.repeat(900)]) {
  return clipBench({ instruction: 'i'.repeat(12_000), contents, wordsOnly: true })
}

describe('a clip without a bound', () => {
  it('[R127, R135, R138, R142] keeps 2,945 of 24,000 for a deficit of 5,225 and comes to exactly 6,000 in one cut', () => {
    const bench = golden()
    expect(bench.context.size.counted).toBe(11_225)
    const proposal = bench.propose(5225)
    const [first, second, third] = bench.results
    expect(proposal?.clipped).toEqual([{ index: first, chars: 24_000, kept: 2945 }])
    expect(bench.measured()).toBe(1)
    const line = landed(bench.line, proposal)
    expect(bench.sizeOf(line).counted).toBe(6000)
    expect(line.view.slice(-2)).toEqual([second, third])
    const [text = ''] = bench.sent(line)
    expect(text).toHaveLength(3100)
    expect(marker.exec(String(text))?.slice(1).map(Number)).toEqual([
      21_055,
      24_000,
      2208,
      23_263,
      first,
      2208,
      16_000,
      23_263,
    ])
  })

  it('[R150] cuts a little for a small deficit', () => {
    const bench = golden()
    const proposal = bench.propose(40)
    expect(proposal?.clipped).toHaveLength(1)
    expect(proposal?.clipped?.[0]?.kept).toBeGreaterThanOrEqual(23_600)
    expect(bench.sizeOf(landed(bench.line, proposal)).counted).toBeLessThanOrEqual(11_185)
  })

  it('[R134] takes the largest first, and the oldest of equals', () => {
    const equal = golden(['x'.repeat(5000), 'y'.repeat(9000), 'z'.repeat(9000)])
    const [, second = 0, third] = equal.results
    expect(equal.propose(40)?.clipped).toMatchObject([{ index: second }])
    expect(equal.propose(2000)?.clipped).toMatchObject([{ index: second, kept: 1024 }, { index: third }])
    // What a copy keeps is its length.
    const line = withCopy(equal.line, second, [6000])
    expect(equal.propose(40, { line })?.clipped).toMatchObject([{ index: third }])
  })

  it('[R137, R139] cuts no body under 1,024, leaves a shorter one whole, and keeps a view that is still over', () => {
    const bench = golden(['a'.repeat(24_000), 'b'.repeat(1025), 'c'.repeat(1024), 'd'.repeat(5000)])
    const [first, , , fourth] = bench.results
    const proposal = bench.propose(9000)
    expect(proposal?.clipped).toEqual([
      { index: first, chars: 24_000, kept: 1024 },
      { index: fourth, chars: 5000, kept: 1024 },
    ])
    expect(bench.sizeOf(landed(bench.line, proposal)).counted).toBeLessThan(bench.context.size.counted)
  })

  it('[R199] makes no cut whose marker costs more than it saves', () => {
    const bench = golden(['a'.repeat(1150), 'b'.repeat(1060)])
    expect(bench.propose(5000)).toBeNull()
    const one = golden(['a'.repeat(1150), 'b'.repeat(1400)])
    expect(one.propose(5000)?.clipped).toMatchObject([{ index: one.results[1], kept: 1024 }])
  })

  it('[R199] makes no cut that saves nothing, to the token', () => {
    const saved = Array.from({ length: 60 }, (_, more) => {
      const bench = golden(['a'.repeat(1150 + more)])
      const proposal = bench.propose(5000)
      return proposal && bench.context.size.counted - bench.sizeOf(landed(bench.line, proposal)).counted
    })
    const first = saved.findIndex((tokens) => tokens !== null)
    expect(first).toBeGreaterThan(0)
    expect(saved.slice(0, first).every((tokens) => tokens === null)).toBe(true)
    expect(saved[first]).toBe(1)
    expect(Math.min(...saved.slice(first).map(Number))).toBe(1)
  })

  it('[R135] knows by what the first body saved what a character of the others in its result has', () => {
    const contents = [JSON.stringify({ first: 'a'.repeat(24_000), second: 'b'.repeat(20_000) })]
    const bench = golden(contents)
    const proposal = bench.propose(7000)
    expect(proposal?.clipped?.map(({ chars }) => chars)).toEqual([24_000, 20_000])
    const saved = bench.context.size.counted - bench.sizeOf(landed(bench.line, proposal)).counted
    expect(saved).toBeGreaterThanOrEqual(7000)
    expect(saved).toBeLessThan(7010)
  })

  it('[R196] tries no cut of what is at its floor', () => {
    const bench = golden(['a'.repeat(9000)])
    const line = withCopy(bench.line, bench.results[0] ?? 0, [1024])
    expect(bench.propose(5000, { line })).toBeNull()
    expect(bench.measured()).toBe(0)
  })

  it.each([
    [1024, 768, 99_789],
    [5000, 3750, 98_795],
    [25_000, 18_750, 93_795],
    [60_000, 45_000, 85_045],
  ])(
    '[R136, R146, R186, R201] shows a copy that keeps %i as head and tail of the original',
    (kept, start, end) => {
      const source = numbers(100_045)
      const bench = clipBench({ contents: [source] })
      const [result = 0] = bench.results
      const [text] = bench.sent(withCopy(bench.line, result, [kept]))
      const [head, tail] = String(text).split(/\n\[.*\]\n/)
      expect(head).toBe(source.slice(0, start))
      expect(tail).toBe(source.slice(end))
      expect(marker.exec(String(text))?.slice(1, 6).map(Number)).toEqual([
        100_045 - kept,
        100_045,
        start,
        end,
        result,
      ])
    },
  )

  it('[R128, R206] takes each text block for a body and leaves media alone', () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(9000) },
    }
    const blocks = [{ type: 'text', text: numbers(9000) }, image, { type: 'text', text: numbers(3000) }]
    const bench = clipBench({ format: 'anthropic', contents: [blocks] })
    const proposal = bench.propose(100_000)
    expect(proposal?.added).toMatchObject([{ copy: { kept: [1024, 1024] } }])
    const [content] = bench.sent(landed(bench.line, proposal)) as unknown as [{ text: string }[]]
    expect(content?.[1]).toEqual(image)
    expect(content?.[0]?.text).toMatch(marker)
    expect(content?.[2]?.text).toMatch(/ 3000 characters omitted: \d+-\d+\./)
  })
})

describe.each(['openai-chat', 'anthropic'] as const)('a clip of mappings, %s', (format) => {
  const mapping = {
    success: true,
    content: numbers(5000),
    items: Array.from({ length: 2000 }, (_, item) => item),
    meta: { b: 1, a: { d: 4, c: 3 } },
    notes: 'n'.repeat(3000),
    error: 'e'.repeat(5000),
  }

  it('[R129, R130, R132, R166] cuts value by value in place and keeps every key, with one copy for all of them', () => {
    const bench = clipBench({ format, contents: [JSON.stringify(mapping)] })
    const proposal = bench.propose(100_000)
    const [result] = bench.results
    expect(proposal?.clipped).toEqual([
      { index: result, chars: 8891, kept: 1024 },
      { index: result, chars: 5000, kept: 1024 },
      { index: result, chars: 3000, kept: 1024 },
    ])
    expect(proposal?.added).toMatchObject([{ copy: { original: result, kept: [1024, 1024, null, 1024] } }])
    const line = landed(bench.line, proposal)
    const [content] = bench.sent(line)
    const cut = JSON.parse(String(content)) as Record<keyof typeof mapping, unknown>
    expect(Object.keys(cut)).toEqual(Object.keys(mapping))
    expect(cut).toMatchObject({ success: true, error: mapping.error, meta: mapping.meta })
    const items = String(cut.items)
    expect(items.startsWith('[JSON preview] [0,1,2,')).toBe(true)
    expect(marker.exec(items)?.slice(1, 5).map(Number)).toEqual([7867, 8891, 5031 + 768, 5031 + 8635])
    expect(String(cut.content).replace(marker, '')).toBe(
      mapping.content.slice(0, 768) + mapping.content.slice(-256),
    )
    expect(proposal?.added[0]?.chars).toBe(
      codePoints(
        Object.entries(cut)
          .map(([key, value]) => `${key}: ${key === 'meta' ? '{"a":{"c":3,"d":4},"b":1}' : value}`)
          .join('\n'),
      ),
    )
  })

  it('goes on with what an older copy keeps of the other bodies', () => {
    const bench = clipBench({ format, contents: [JSON.stringify(mapping)] })
    const [result = 0] = bench.results
    const line = withCopy(bench.line, result, [3000, null, null, 2000])
    const proposal = bench.propose(50, { line })
    expect(proposal?.clipped).toMatchObject([{ index: result, chars: 8891 }])
    const [kept] = [proposal?.clipped?.[0]?.kept]
    expect(proposal?.added).toMatchObject([
      { index: line.record.length, copy: { original: result, kept: [3000, kept, null, 2000] } },
    ])
    expect(proposal?.view).toEqual(
      line.view.map((index) => (index === line.view.at(-1) ? line.record.length : index)),
    )
  })

  it('[R130] previews an object with its keys sorted', () => {
    const value = Object.fromEntries(['b', 'a'].map((key) => [key, 'v'.repeat(1500)]))
    const bench = clipBench({ format, contents: [JSON.stringify({ value })] })
    const [content] = bench.sent(landed(bench.line, bench.propose(100_000)))
    expect(JSON.parse(String(content)).value).toMatch(/^\[JSON preview\] \{"a":"vvv/)
  })

  it('[R147] gives no meaning to what a tool says of copies', () => {
    const said = {
      copy: { foldId: 'q/1', original: 0, kept: [3] },
      clippedFrom: 0,
      kind: 'copy',
      text: numbers(4000),
    }
    const bench = clipBench({ format, contents: [JSON.stringify(said)] })
    expect(bench.sent(bench.line)).toEqual([JSON.stringify(said)])
    const [result] = bench.results
    expect(bench.propose(100_000)?.added).toMatchObject([
      { copy: { original: result, kept: [null, null, null, 1024] } },
    ])
  })
})

describe('what a clip may take', () => {
  const contents = [numbers(9000), numbers(6000), numbers(3000)]

  it('[R126] reaches the newest and what was not read', () => {
    const bench = clipBench({ contents })
    expect(bench.results.some((index) => bench.line.delivered.has(index))).toBe(false)
    expect(bench.propose(100_000)?.clipped?.map(({ index }) => index)).toEqual(bench.results)
  })

  it('[R276] leaves alone what stands before its reach', () => {
    const bench = clipBench({ contents })
    const from = bench.line.view.indexOf(bench.results[1] ?? -1)
    expect(bench.propose(100_000, { from })?.clipped?.map(({ index }) => index)).toEqual(
      bench.results.slice(1),
    )
  })

  it('[R98, R275] leaves alone what is kept, a copy by its original too', () => {
    const bench = clipBench({ contents })
    const [first = 0, second, third] = bench.results
    const keep = new Set([first])
    expect(bench.propose(100_000, { keep })?.clipped?.map(({ index }) => index)).toEqual([second, third])
    const line = withCopy(bench.line, first, [5000])
    expect(bench.propose(100_000, { keep, line })?.clipped?.map(({ index }) => index)).toEqual([
      second,
      third,
    ])
  })

  it('[R149, R198] leaves alone what was restored or read from since the last request', () => {
    const bench = clipBench({ contents })
    const [first = 0, second = 0, third] = bench.results
    const line = { ...withCopy(bench.line, second, [5000]), recovered: new Set([first, second]) }
    expect(bench.propose(100_000, { line })?.clipped?.map(({ index }) => index)).toEqual([third])
  })

  it('[R214] leaves alone what the context tool read', () => {
    const calls = [
      { name: 'context', arguments: { action: 'read_result', index: 2, offset: 0, limit: 9000 } },
      { name: 'context', arguments: { action: 'status' } },
    ]
    const bench = clipBench({ contents, calls })
    expect(bench.propose(100_000)?.clipped?.map(({ index }) => index)).toEqual(bench.results.slice(1))
    const others = clipBench({ contents, calls, contextTool: null })
    expect(others.propose(100_000)?.clipped).toHaveLength(3)
  })

  it('proposes nothing where there is nothing to cut', () => {
    expect(clipBench({ contents: ['short', 'x'.repeat(1024)] }).propose(10)).toBeNull()
    expect(clipBench({ contents: [] }).propose(10)).toBeNull()
    expect(clipBench({ contents }).propose(0)).toBeNull()
  })
})

describe('a copy', () => {
  const contents = [numbers(9000), numbers(30_000), numbers(3000)]

  it('[R76, R141, R143, R144] stands in its original’s place, names it, and leaves the record and every call as they were', () => {
    for (const format of ['openai-chat', 'anthropic'] as const) {
      const bench = clipBench({ format, contents })
      const before = structuredClone(bench.line)
      const proposal = bench.propose(4000)
      expect(bench.line).toEqual(before)
      const [first, second = 0, third] = bench.results
      const original = bench.line.record[second]
      const copy = bench.line.record.length
      expect(proposal?.taken).toEqual([])
      expect(proposal?.view.slice(-3)).toEqual([first, copy, third])
      const kept = proposal?.clipped?.[0]?.kept
      expect(proposal?.added).toEqual([
        {
          index: copy,
          kind: 'copy',
          key: '',
          round: original?.round,
          callId: 'call_1',
          copy: { foldId: 'q/1', original: second, kept: [kept] },
          chars: codePoints(String(bench.sent(landed(bench.line, proposal))[1])),
        },
      ])
    }
  })

  it('[R146, R153, R202] that is cut again is cut from the original, with one marker', () => {
    const bench = clipBench({ contents })
    const [, second = 0] = bench.results
    const once = landed(bench.line, bench.propose(4000))
    const again = bench.propose(3000, { line: once })
    const twice = landed(once, again)
    const [first, then] = [once, twice].map((line) => line.record.at(-1)?.copy)
    expect(then).toMatchObject({ original: second })
    expect(Number(then?.kept[0])).toBeLessThan(Number(first?.kept[0]))
    expect(twice.view.filter((index) => twice.record[index]?.copy)).toEqual([twice.record.length - 1])
    const text = String(bench.sent(twice)[1])
    expect(text.match(/characters omitted/g)).toHaveLength(1)
    const [head = '', tail = ''] = text.split(/\n\[.*\]\n/)
    expect(contents[1]?.startsWith(head) && contents[1].endsWith(tail)).toBe(true)
    expect(head.length + tail.length).toBe(then?.kept[0])
  })

  it('[R204, R374] names its original by the record, whatever of the record is in the view', () => {
    const bench = clipBench({ contents })
    const [first = 0, second] = bench.results
    const call =
      bench.line.record.find(({ callId, kind }) => kind === 'call' && callId === 'call_0')?.index ?? 0
    const view = bench.line.view.filter((index) => index !== first && index !== call)
    const line = { ...bench.line, view }
    const whole = bench.sent(landed(bench.line, bench.propose(6000)))[1]
    const part = landed(line, bench.propose(6000, { line }))
    expect(String(bench.sent(part)[0])).toContain(`index=${second},`)
    expect(String(whole)).toContain(`index=${second},`)
  })
})
