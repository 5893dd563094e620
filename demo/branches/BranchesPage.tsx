import { useMemo, useState } from 'react'
import { branchSource, DogearPanel } from '../../panel/index.tsx'
import type { Branch, Dogear } from '../../sdk/index.ts'
import { SiteHeader, useTheme } from '../SiteHeader.tsx'
import { BranchTable } from './BranchTable.tsx'
import { ImportButton } from './ImportButton.tsx'
import { StorageLine } from './StorageLine.tsx'
import { save } from './save.ts'
import { useBranches } from './use-branches.ts'

export interface BranchesPageProps {
  readonly dogear: Dogear
}

/** What is kept in this browser, and what can be done with it. */
export function BranchesPage({ dogear }: BranchesPageProps) {
  const { branches, storage, problem, run } = useBranches(dogear)
  const [opened, setOpened] = useState<Branch | null>(null)
  const [told, setTold] = useState('')
  const [theme, setTheme] = useTheme()
  const source = useMemo(() => opened && branchSource(dogear, opened), [dogear, opened])

  const exported = (ids?: readonly string[]) =>
    run(async () =>
      save(await dogear.export(ids), ids?.length === 1 ? `${ids[0]}.dogear` : 'branches.dogear'),
    )
  const imported = (file: File) =>
    run(async () => {
      setTold('Reading the file.')
      const added = await dogear.import(file, {
        onProgress: ({ bytes, of }) => setTold(`Read ${Math.round((bytes / of) * 100)} % of the file.`),
      })
      setTold(`Imported ${added.map(({ id }) => id).join(', ')}.`)
    })
  const removed = (id: string) =>
    run(async () => {
      const branch = opened?.id === id ? opened : await dogear.branch(id)
      if (opened?.id === id) setOpened(null)
      await branch.delete()
      setTold(`Deleted ${id}.`)
    })

  return (
    <>
      <SiteHeader
        page="Branches"
        tagline="The conversations that dogear keeps in this browser, with every original."
        theme={theme}
        onTheme={setTheme}
      />
      <main className="branches">
        <section aria-label="Branches">
          <div className="actions">
            <ImportButton onFile={(file) => void imported(file)} />
            <button type="button" disabled={!branches?.length} onClick={() => void exported()}>
              Export all
            </button>
            <StorageLine status={storage} onPersist={() => void run(() => dogear.persist())} />
          </div>
          {problem && (
            <p className="bad" role="alert">
              {problem}
            </p>
          )}
          <BranchTable
            branches={branches}
            openedId={opened?.id ?? null}
            onOpen={(id) => void run(async () => setOpened(await dogear.branch(id)))}
            onExport={(id) => void exported([id])}
            onDelete={(id) => void removed(id)}
          />
        </section>
        {source && <DogearPanel source={source} className="panel" {...(theme !== 'system' && { theme })} />}
      </main>
      <p className="unseen" role="status">
        {told}
      </p>
    </>
  )
}
