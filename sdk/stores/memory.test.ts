import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeBranchStore } from '../testing/store-contract.ts'
import { memoryStore } from './memory.ts'

describeBranchStore('memoryStore', memoryStore, { describe, it, beforeEach, afterEach, expect })
