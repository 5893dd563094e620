import { describeValue } from '../engine/describe-value.ts'
import { TokenizerError } from '../errors.ts'
import { type GivenRanks, isGivenRanks } from './given-ranks.ts'
import { loadRanks } from './load-ranks.ts'
import type { TokenizerOptions } from './options.ts'
import { orUnavailable } from './or-unavailable.ts'
import type { WasmSource } from './wasm-counter.ts'

/** Loads the vocabulary that the options name. Nothing that failed is remembered. */
export async function ranksFrom({ ranks }: TokenizerOptions): Promise<GivenRanks> {
  if (ranks === undefined) return orUnavailable('vocabulary', loadRanks())
  const given = isAddress(ranks) ? await orUnavailable('vocabulary', fetchJson(ranks)) : ranks
  if (isGivenRanks(given)) return given
  throw new TokenizerError({
    code: 'invalid_argument',
    message: `tokenizer.ranks must be or name a vocabulary with its ranks in bpe_ranks, such as @dqbd/tiktoken/encoders/o200k_base.json, not ${describeValue(given)}; leave it out for the one that dogear ships`,
  })
}

/** Loads the WASM that the options name. Nothing that failed is remembered. */
export async function wasmFrom({ wasm }: TokenizerOptions): Promise<WasmSource> {
  if (wasm === undefined) return orUnavailable('WASM', loadWasm())
  return isAddress(wasm) ? orUnavailable('WASM', fetchBytes(wasm)) : wasm
}

async function loadWasm(): Promise<string> {
  return (await import('./wasm-binary.ts')).wasmBase64
}

async function fetchBytes(address: URL | string): Promise<ArrayBuffer> {
  return (await fetchFrom(address)).arrayBuffer()
}

async function fetchJson(address: URL | string): Promise<unknown> {
  return (await fetchFrom(address)).json()
}

async function fetchFrom(address: URL | string): Promise<Response> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  return response
}

function isAddress(value: unknown): value is URL | string {
  return typeof value === 'string' || value instanceof URL
}
