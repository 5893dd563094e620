import { describeBranchStore } from '../testing/store-contract.ts'
import { memoryStore } from './memory.ts'

describeBranchStore('memoryStore', memoryStore)
