import { useCallback, useEffect, useState } from 'react'
import type { BranchSummary, Dogear, StorageStatus } from '../../sdk/index.ts'

export interface KeptBranches {
  /** Null until they were read for the first time. */
  readonly branches: readonly BranchSummary[] | null
  readonly storage: StorageStatus | null
  readonly problem: string | null
  /** Does something with them, reads them again, and says what went wrong. */
  run(work: () => Promise<unknown>): Promise<void>
}

/** The branches of this browser, read again whenever somebody comes back to the page. */
export function useBranches(dogear: Dogear): KeptBranches {
  const [branches, setBranches] = useState<readonly BranchSummary[] | null>(null)
  const [storage, setStorage] = useState<StorageStatus | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const run = useCallback(
    async (work: () => Promise<unknown>) => {
      try {
        await work()
        setProblem(null)
      } catch (error) {
        setProblem(error instanceof Error ? error.message : String(error))
      }
      try {
        const [kept, status] = await Promise.all([dogear.branches(), dogear.storage()])
        setBranches(kept)
        setStorage(status)
      } catch (error) {
        setBranches([])
        setProblem(error instanceof Error ? error.message : String(error))
      }
    },
    [dogear],
  )

  useEffect(() => {
    const read = () => void run(async () => undefined)
    read()
    window.addEventListener('focus', read)
    return () => window.removeEventListener('focus', read)
  }, [run])

  return { branches, storage, problem, run }
}
