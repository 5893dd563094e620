import type { Branch } from '../branch.ts'

/** What an app's own code is given: the client's ordinary settings, and a fetch. */
export interface DriverOptions {
  /** Where the provider is, without a slash at its end. */
  readonly url: string
  readonly model: string
  /** For the client's option of that name. */
  readonly fetch: typeof fetch
  /** What that sends by, for a client that has dogear in another place. */
  readonly network: typeof fetch
  readonly branch: Branch
  readonly isStreamed: boolean
  /** The context tool is among the tools. */
  readonly hasContextTool: boolean
}

/** An app's loop over one client: asks the task, runs the tools that the model calls, and returns its last words. */
export type Driver = (options: DriverOptions) => Promise<string>

/** No task of the rehearsal takes more answers. */
export const MOST_STEPS = 60

/** What a loop does that its model keeps calling. */
export function neverEnded(): never {
  throw new Error(`the model went on calling tools for ${MOST_STEPS} answers`)
}
