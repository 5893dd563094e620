import { deleteDB } from 'idb'
import { onTestFinished } from 'vitest'

/** Name of a database that no other test uses and that is gone when this one has ended. */
export function freshDatabase(): string {
  const name = `fresh-${crypto.randomUUID()}`
  onTestFinished(() => deleteDB(name))
  return name
}
