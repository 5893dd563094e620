import { afterAll, beforeAll } from 'vitest'
import { type ProviderServer, startProviderServer } from '../testing/provider/server.ts'
import { rehearsalProvider } from '../testing/rehearsal/provider.ts'
import { loadRanks } from '../tokenizer/load-ranks.ts'
import { createScriptCounter } from '../tokenizer/script-counter.ts'
import { describeConversations } from './conversations.ts'

let server: ProviderServer

beforeAll(async () => {
  const counter = createScriptCounter(await loadRanks())
  server = await startProviderServer(rehearsalProvider({ count: (text) => counter.count(text) }))
})

afterAll(() => server.close())

describeConversations({ url: () => server.url })
