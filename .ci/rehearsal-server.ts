import type { TestProject } from 'vitest/node'
import { startRehearsalServer } from '../sdk/testing/rehearsal/server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the rehearsal's provider is, for tests in a browser. */
    readonly rehearsalUrl: string
  }
}

/** Serves the rehearsal's provider to the pages of a test run, and ends with it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startRehearsalServer()
  project.provide('rehearsalUrl', server.url)
  return server.close
}
