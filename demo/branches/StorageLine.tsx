import type { StorageStatus } from '../../sdk/index.ts'
import { bytesText } from './bytes-text.ts'

export interface StorageLineProps {
  readonly status: StorageStatus | null
  readonly onPersist: () => void
}

/** How much of its storage this site uses, and whether the browser keeps it. */
export function StorageLine({ status, onPersist }: StorageLineProps) {
  if (status === null) return null
  const { usage, quota, persisted } = status
  return (
    <p className="storage quiet">
      {usage !== undefined && quota !== undefined && `${bytesText(usage)} of ${bytesText(quota)} used. `}
      {persisted === true && 'The browser keeps it, though space runs out.'}
      {persisted === false && (
        <>
          The browser may clear it where space runs out.{' '}
          <button type="button" onClick={onPersist}>
            Ask it to keep it
          </button>
        </>
      )}
    </p>
  )
}
