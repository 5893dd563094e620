import { deleteDB } from 'idb'
import { afterAll } from 'vitest'
import { describeBranchStore } from '../testing/store-contract.ts'
import { indexedDbStore } from './idb.ts'

const names: string[] = []
afterAll(() => Promise.all(names.map((name) => deleteDB(name))))

describeBranchStore('indexedDbStore', () => {
  const name = `contract-${names.length}`
  names.push(name)
  return indexedDbStore({ name })
})
