import { afterAll, beforeAll } from 'vitest'
import type { ProviderServer } from '../testing/provider/server.ts'
import { startRehearsalServer } from '../testing/rehearsal/server.ts'
import { describeRetries } from './retries.ts'

let server: ProviderServer

beforeAll(async () => {
  server = await startRehearsalServer()
})

afterAll(() => server.close())

describeRetries({ url: () => server.url })
