import { describe, expect, it } from 'vitest'
import type { EntryRow, LineRow, StoredBranch } from './ports.ts'
import { linesOf } from './stored-branch.ts'
import { branchRow, entryRow, lineRow } from './testing/store-rows.ts'

function storedAs(lines: readonly LineRow[], entries: readonly EntryRow[]): StoredBranch {
  return { branch: branchRow('chat'), lines, entries }
}

const keysOf = (stored: StoredBranch, lineId: string) =>
  linesOf(stored)
    .get(lineId)
    ?.line.record.map(({ key }) => key)

describe('the lines of a stored branch', () => {
  it('[R68] take the entries below their divergence from their parents, whatever the order of the rows', () => {
    const child = lineRow('chat', { lineId: 'child', parent: { lineId: 'main', index: 2 } })
    const grandchild = lineRow('chat', { lineId: 'grandchild', parent: { lineId: 'child', index: 1 } })
    const entries = [
      entryRow('chat', 2),
      entryRow('chat', 2, { lineId: 'child', key: 'edit' }),
      entryRow('chat', 1),
      entryRow('chat', 1, { lineId: 'grandchild', key: 'other' }),
      entryRow('chat', 0),
    ]
    const stored = storedAs([grandchild, child, lineRow('chat')], entries)
    expect(keysOf(stored, 'main')).toEqual(['key-0', 'key-1', 'key-2'])
    expect(keysOf(stored, 'child')).toEqual(['key-0', 'key-1', 'edit'])
    expect(keysOf(stored, 'grandchild')).toEqual(['key-0', 'other'])
    const orphan = lineRow('chat', { lineId: 'child', parent: { lineId: 'gone', index: 2 } })
    expect(keysOf(storedAs([orphan], entries), 'child')).toEqual(['edit'])
  })

  it('are read once each, however deeply one comes from another', () => {
    const depth = 300
    let reads = 0
    const lines = Array.from({ length: depth }, (_, level): LineRow => {
      const row = lineRow('chat', { lineId: `line${level}` })
      if (level === 0) return row
      return {
        ...row,
        get parent() {
          reads++
          return { lineId: `line${level - 1}`, index: level }
        },
      }
    })
    const entries = lines.map(({ lineId }, level) => entryRow('chat', level, { lineId }))
    const records = [...linesOf(storedAs(lines, entries)).values()].map(({ line }) => line.record.length)
    expect(records).toEqual(lines.map((_, level) => level + 1))
    expect(reads).toBeLessThan(10 * depth)
  })
})
