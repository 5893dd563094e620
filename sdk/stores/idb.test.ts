import { expect, it } from 'vitest'
import { storeFailure } from '../testing/store-failure.ts'
import { smallBranch } from '../testing/store-rows.ts'
import { indexedDbStore } from './idb.ts'

it('can be imported and made where there is no IndexedDB, and says so when it is used', async () => {
  const store = indexedDbStore()
  const attempts = [
    store.branches(),
    store.load('a'),
    store.commit(smallBranch('a')),
    store.bodies(['any']),
    store.journal('a'),
    store.delete('a'),
  ]
  for (const attempt of attempts) expect((await storeFailure(attempt)).code).toBe('store_unavailable')
  await store.close()
})
