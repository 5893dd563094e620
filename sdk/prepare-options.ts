import type { PrepareOptions } from './branch.ts'
import { DogearError } from './errors.ts'
import { requireOptionNames } from './require-option-names.ts'

const optionNames: readonly (keyof PrepareOptions)[] = [
  'format',
  'model',
  'provider',
  'url',
  'maxInputTokens',
  'run',
  'cachedContentTokens',
  'send',
  'signal',
]

const texts = ['format', 'model', 'provider', 'url'] as const

/** Checks what an app hands over beside the request; the ceiling is checked where it is resolved. */
export function requireOptions(options: PrepareOptions): void {
  if (typeof options !== 'object' || options === null) throw wrong('options', 'an object')
  requireOptionNames(options, optionNames, 'prepare')
  for (const name of texts)
    if (options[name] !== undefined && typeof options[name] !== 'string')
      throw wrong(`options.${name}`, 'a string')
  const { run, send, signal, cachedContentTokens: held } = options
  if (held !== undefined && !(Number.isSafeInteger(held) && held >= 0))
    throw wrong('options.cachedContentTokens', 'a number of tokens')
  if (run !== undefined && run !== 'iterative' && run !== 'bounded')
    throw wrong('options.run', '"iterative" or "bounded"')
  if (send !== undefined && typeof send !== 'function') throw wrong('options.send', 'a function')
  // A controller in the place of its signal is a common slip, and would be found out only deep inside.
  if (
    signal !== undefined &&
    (typeof signal?.addEventListener !== 'function' || typeof signal.aborted !== 'boolean')
  )
    throw wrong('options.signal', 'an AbortSignal, such as the signal of an AbortController')
}

/** What an app says of one request beside the request itself, and what its size is judged by. */
export type CallOptions = Pick<
  PrepareOptions,
  'provider' | 'url' | 'maxInputTokens' | 'run' | 'cachedContentTokens'
>

export function callOf(options: PrepareOptions): CallOptions {
  const { format: _, model: _model, signal: _signal, send: _send, ...call } = options
  return call
}

export function signalOf(options: { readonly signal?: AbortSignal }): { readonly signal?: AbortSignal } {
  return options.signal ? { signal: options.signal } : {}
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return
  throw new DogearError({
    code: 'aborted',
    message: 'prepare was aborted by its signal; nothing was changed',
    cause: signal.reason,
  })
}

function wrong(name: string, expected: string): DogearError {
  return new DogearError({
    code: 'invalid_argument',
    message: `${name} must be ${expected}; nothing was changed`,
    fields: { name, expected },
  })
}
