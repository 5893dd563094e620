import { loadRanks } from '../../tokenizer/load-ranks.ts'
import { createScriptCounter } from '../../tokenizer/script-counter.ts'
import { type ProviderServer, startProviderServer } from '../provider/server.ts'
import { rehearsalProvider } from './provider.ts'

/** Serves the rehearsal's provider, which counts with the real ranks. */
export async function startRehearsalServer(): Promise<ProviderServer> {
  const counter = createScriptCounter(await loadRanks())
  return startProviderServer(rehearsalProvider({ count: (text) => counter.count(text) }))
}
