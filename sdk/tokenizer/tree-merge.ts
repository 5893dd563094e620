// biome-ignore-all lint/style/noNonNullAssertion: every index is within its array, and a check at each step would cost time
import { type MergeTable, NO_RANK } from './merge-table.ts'

export interface TreeMerge {
  /** Encodes the bytes from `start` to `end`, one at least and `capacity` at most; returns the number of tokens. */
  merge(bytes: Uint8Array, start: number, end: number): number
  /** Rank of the last merge's token that begins `offset` bytes after its start. */
  readonly ranks: Int32Array
  /** Where that token ends. */
  readonly ends: Int32Array
}

/**
 * Byte pair encoding as in `mergeRow`, in n log n steps for n bytes: the ranks of all joins are the leaves of a tree
 * in which every node is the lower of its two children, so the root is the next join.
 */
export function createTreeMerge(table: MergeTable, capacity: number): TreeMerge {
  const { byteRanks, bytePairRanks, rankOf } = table
  // A token is known by the offset of its first byte.
  const ranks = new Int32Array(capacity)
  const ends = new Int32Array(capacity)
  const previous = new Int32Array(capacity)
  /** The root is at 1, the children of n are at 2n and 2n + 1. */
  const tree = new Int32Array(2 * leavesFor(capacity))

  function merge(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start
    const leaves = leavesFor(length)
    let byte = bytes[start]!
    for (let offset = 0; offset < length; offset++) {
      const next = bytes[start + offset + 1]!
      ranks[offset] = byteRanks[byte]!
      ends[offset] = offset + 1
      previous[offset] = offset - 1
      tree[leaves + offset] = bytePairRanks[(byte << 8) | next]!
      byte = next
    }
    // The last token has no next one, whatever byte follows.
    tree.fill(NO_RANK, leaves + length - 1, 2 * leaves)
    for (let node = leaves - 1; node > 0; node--) tree[node] = Math.min(tree[2 * node]!, tree[2 * node + 1]!)

    let tokens = length
    for (let join = tree[1]!; join !== NO_RANK; join = tree[1]!) {
      const at = firstLeaf(tree, leaves, join)
      const gone = ends[at]!
      const next = ends[gone]!
      const before = previous[at]!
      ranks[at] = join
      ends[at] = next
      setLeaf(tree, leaves + gone, NO_RANK)
      setLeaf(tree, leaves + at, next < length ? rankOf(join, ranks[next]!) : NO_RANK)
      if (next < length) previous[next] = at
      if (before >= 0) setLeaf(tree, leaves + before, rankOf(ranks[before]!, join))
      tokens--
    }
    return tokens
  }

  return { merge, ranks, ends }
}

/** The power of two that is not below `length`. */
function leavesFor(length: number): number {
  return length > 1 ? 1 << (32 - Math.clz32(length - 1)) : 1
}

function firstLeaf(tree: Int32Array, leaves: number, value: number): number {
  let node = 1
  while (node < leaves) {
    node *= 2
    if (tree[node] !== value) node++
  }
  return node - leaves
}

function setLeaf(tree: Int32Array, leaf: number, value: number): void {
  let node = leaf
  let lower = value
  tree[node] = lower
  while (node > 1) {
    lower = Math.min(lower, tree[node ^ 1]!)
    node >>= 1
    if (tree[node] === lower) return
    tree[node] = lower
  }
}
