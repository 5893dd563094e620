import { describeValue } from './engine/describe-value.ts'
import type { Warning } from './engine/format.ts'
import { DogearError } from './errors.ts'
import type { ChatEndpoint } from './fetch-endpoint.ts'
import type { LiveBranches } from './live-branches.ts'
import { requireOptionNames } from './require-option-names.ts'

export interface DogearFetchOptions {
  /**
   * The branch that a chat request belongs to, or a function that names it; null: not this one, such as a request
   * for a title. It is given a copy of the request, and only where the body is JSON.
   */
  readonly branch: string | ((request: Request) => string | null)
  /** What sends; the page's own `fetch`. */
  readonly fetch?: typeof fetch
}

/** What `fetch` needs of the dogear that it belongs to. */
export interface FetchHost {
  branches(): Promise<LiveBranches>
  /** For what happens where no branch can be named. */
  warn(warning: Warning): void
}

/** One call of it that went to the address of a chat. */
export interface ChatCall {
  readonly input: RequestInfo | URL
  readonly init: RequestInit | undefined
  readonly endpoint: ChatEndpoint
  readonly branch: DogearFetchOptions['branch']
  readonly send: typeof fetch
  readonly host: FetchHost
}

/** Throws `invalid_argument` for what names no branch and is no `fetch`. */
export function requireFetchOptions(options: DogearFetchOptions): DogearFetchOptions {
  const { branch, fetch: own } = options ?? {}
  if (typeof branch !== 'function' && (typeof branch !== 'string' || branch === ''))
    throw wrong('branch', 'the id of a branch, or a function that names one for a request', branch)
  if (own !== undefined && typeof own !== 'function')
    throw wrong('fetch', 'a function with the shape of fetch', own)
  requireOptionNames(options, ['branch', 'fetch'], 'dogear.fetch')
  return options
}

function wrong(name: string, expected: string, value: unknown): DogearError {
  return new DogearError({
    code: 'invalid_argument',
    message: `${name} must be ${expected}, but is ${value === '' ? 'empty' : describeValue(value)}; see dogear.fetch({ branch })`,
    fields: { name },
  })
}
