import { useEffect, useState } from 'react'
import type { Branch, Dogear, MessagePreviews } from '../../sdk/index.ts'
import { latestWins } from '../player/latest-wins.ts'
import { type Problem, problemOf } from '../player/problem.ts'
import { sleep } from '../player/sleep.ts'

const restMs = 150

export type Reading =
  | { readonly type: 'waiting' }
  | { readonly type: 'read'; readonly previews: MessagePreviews }
  | { readonly type: 'failed'; readonly problem: Problem }

/** The newest messages of a branch's record, read again when something happens to it. */
export function useMessages(dogear: Dogear, branch: Branch, most: number): Reading {
  const [reading, setReading] = useState<Reading>({ type: 'waiting' })

  useEffect(() => {
    const gone = new AbortController()
    const refresh = latestWins(async () => {
      if (gone.signal.aborted) return
      const next = await readNewest(branch, most)
      if (gone.signal.aborted) return
      setReading(next)
      await sleep(restMs, gone.signal)
    })
    const update = () => void refresh(undefined)
    const unsubscribe = dogear.subscribe((event) => {
      if (event.branchId === branch.id) update()
    })
    update()
    return () => {
      gone.abort()
      unsubscribe()
    }
  }, [dogear, branch, most])

  return reading
}

async function readNewest(branch: Branch, most: number): Promise<Reading> {
  try {
    const { total } = await branch.getMessages({ scope: 'all', start: 0, end: 0 })
    const start = Math.max(0, total - most)
    return { type: 'read', previews: await branch.getMessages({ scope: 'all', start, end: total }) }
  } catch (error) {
    return { type: 'failed', problem: problemOf(error) }
  }
}
