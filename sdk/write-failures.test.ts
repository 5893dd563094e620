import { memoryStore } from './stores/memory.ts'
import { describeWriteFailures } from './testing/describe-write-failures.ts'

describeWriteFailures('memoryStore', memoryStore)
