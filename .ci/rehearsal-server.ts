import type { TestProject } from 'vitest/node'
import { startProviderServer } from '../sdk/testing/provider/server.ts'
import { rehearsalProvider } from '../sdk/testing/rehearsal/provider.ts'
import { loadRanks } from '../sdk/tokenizer/load-ranks.ts'
import { createScriptCounter } from '../sdk/tokenizer/script-counter.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the rehearsal's provider is, for tests in a browser. */
    readonly rehearsalUrl: string
  }
}

/** Serves the rehearsal's provider to the pages of a test run, and ends with it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const counter = createScriptCounter(await loadRanks())
  const server = await startProviderServer(rehearsalProvider({ count: (text) => counter.count(text) }))
  project.provide('rehearsalUrl', server.url)
  return server.close
}
