import { indexedDbStore } from './stores/idb.ts'
import { describeWriteFailures } from './testing/describe-write-failures.ts'
import { freshDatabase } from './testing/fresh-database.ts'

describeWriteFailures('indexedDbStore', () => indexedDbStore({ name: freshDatabase() }))
