import { afterAll, beforeAll } from 'vitest'
import type { ProviderServer } from '../testing/provider/server.ts'
import { startRehearsalServer } from '../testing/rehearsal/server.ts'
import { describeSpoiledAnswers } from './spoiled-answers.ts'

let server: ProviderServer

beforeAll(async () => {
  server = await startRehearsalServer()
})

afterAll(() => server.close())

describeSpoiledAnswers({ url: () => server.url })
