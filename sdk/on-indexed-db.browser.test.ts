import { indexedDbStore } from './stores/idb.ts'
import { freshDatabase } from './testing/fresh-database.ts'
import { keepIn } from './testing/open-branch.ts'

// What holds of the record, of reading and restoring, and of clones in memory must hold in a browser's database.
keepIn(() => indexedDbStore({ name: freshDatabase() }))

await import('./session.test.ts')
await import('./list-matching.test.ts')
await import('./recovery.test.ts')
await import('./restoring.test.ts')
await import('./curating.test.ts')
await import('./cloning.test.ts')
await import('./delivery.test.ts')
await import('./refusals.test.ts')
await import('./verifying.test.ts')
await import('./compiled-entries.test.ts')
