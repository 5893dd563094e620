import { loadRanks } from '../../tokenizer/load-ranks.ts'
import { createScriptCounter } from '../../tokenizer/script-counter.ts'
import { type ProviderServer, startProviderServer } from '../provider/server.ts'
import { rehearsalProvider } from './provider.ts'
import { spoiledProvider } from './spoiled-answers.ts'

/** Serves the rehearsal's provider, which counts with the real ranks and can be asked to spoil its answers. */
export async function startRehearsalServer(): Promise<ProviderServer> {
  const counter = createScriptCounter(await loadRanks())
  const provider = rehearsalProvider({ count: (text) => counter.count(text) })
  return startProviderServer(spoiledProvider(provider))
}
