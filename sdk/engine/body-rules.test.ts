import { describe, expect, it } from 'vitest'
import { projectedBodies } from './projected-message.ts'
import { type Body, cutMarker, effectiveKept, headAndTail, LEAST_KEPT, project } from './projection.ts'
import { readSlice } from './read-slice.ts'
import { readableText, textBodies } from './readable-text.ts'
import { codePoints } from './text.ts'

const long: Body = { source: 'x'.repeat(100_045), base: 0, label: '', index: 7 }
const bounded = { contextTool: 'context', maxChars: 4000 }

describe('a body of a result', () => {
  it('[R140] begins from three parts of head to one of tail, and is not cut under 1,024 characters', () => {
    expect(headAndTail(1024)).toEqual({ head: 768, tail: 256 })
    expect(LEAST_KEPT).toBe(1024)
  })

  it('[R167] is the text that read_result reads at its place, nested values with sorted keys', () => {
    const content = JSON.stringify({ note: 'said', nested: { b: 1, a: [{ d: 4, c: 3 }] }, after: 'more' })
    const bodies = textBodies(content)
    expect(bodies.map(({ source }) => source)).toEqual(['said', '{"a":[{"c":3,"d":4}],"b":1}', 'more'])
    for (const { source, base } of bodies)
      expect(readSlice(readableText(content), { offset: base, limit: codePoints(source) }).text).toBe(source)
  })

  it('[R176, R177] says where to begin reading, how to go on and where to stop, and not that one call is enough', () => {
    const marker = cutMarker({ length: 100_045, kept: 3845, base: 0, index: 7 }, bounded)
    expect(marker).toContain('index=7, offset=2883, limit=4000')
    expect(marker).toContain('continue at next_offset, stop at 99083')
    // The first read ends long before the interval does.
    expect(2883 + 4000).toBeLessThan(99_083)
  })

  it('[R180, R183] has its source, what of it is kept, and its length in the request as three figures', () => {
    const rules = { contextTool: 'context', maxChars: 1024 }
    const kept = effectiveKept(long, 100_045, rules)
    expect(kept).toBe(871)
    const projected = project(long, kept ?? 0, rules)
    expect([codePoints(long.source), projected.kept, codePoints(projected.text)]).toEqual([
      100_045, 871, 1024,
    ])
  })

  it('[R189] that no copy stands for may keep all of its source, as far as the bound lets it', () => {
    const bodies = [{ source: long.source, base: 0, label: '' }]
    const asked = { index: 7, rules: bounded }
    const { texts } = projectedBodies(bodies, { ...asked, allowances: [] })
    expect(texts).toEqual(projectedBodies(bodies, { ...asked, allowances: [100_045] }).texts)
    expect(projectedBodies(bodies, { ...asked, allowances: [1024] }).texts).not.toEqual(texts)
    expect(
      projectedBodies(bodies, { ...asked, rules: { contextTool: 'context' }, allowances: [] }).texts.size,
    ).toBe(0)
  })

  it('[R207] is read in pages of 16,000 where no bound says less', () => {
    const cut = { length: 100_045, kept: 5000, base: 0, index: 7 }
    expect(cutMarker(cut, { contextTool: 'context' })).toContain('limit=16000')
    expect(cutMarker(cut, { contextTool: 'context', maxChars: 20_000 })).toContain('limit=16000')
    expect(cutMarker(cut, bounded)).toContain('limit=4000')
  })
})
