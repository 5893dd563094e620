import { init, Tiktoken } from '@dqbd/tiktoken/lite/init'
import { createGuardedCounter } from './guarded-counter.ts'
import type { PackedRanks } from './ranks.ts'
import type { TextCounter } from './text-counter.ts'
import { toTiktokenText } from './tiktoken-text.ts'

const O200K_PATTERN = [
  "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
  "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
  '\\p{N}{1,3}',
  ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*',
  '\\s*[\\r\\n]+',
  '\\s+(?!\\S)',
  '\\s+',
].join('|')

/** The encoder's WASM: its bytes as base64 or as they are, or compiled already. */
export type WasmSource = string | BufferSource | WebAssembly.Module

export interface WasmCounter extends TextCounter {
  /** Size of the encoder's memory; it grows with the longest text given at once and never shrinks. */
  memoryBytes(): number
  /** Gives the memory back to the encoder's own heap; only the end of the worker or the page gives it to the browser. */
  free(): void
}

export interface WasmCounterParts {
  readonly wasm: WasmSource
  readonly ranks: PackedRanks
  /** Takes what the encoder cannot: see `createGuardedCounter`. */
  readonly stretches: TextCounter
}

/** The one instance that this thread can have: the binding keeps it in its own module. */
let instance: Promise<WebAssembly.Memory> | undefined

/**
 * Counts with @dqbd/tiktoken. Takes about a second in a fresh page, most of it in one piece. Rejects with the
 * browser's own error where WASM is blocked or the bytes are not the encoder's.
 */
export async function createWasmCounter({ wasm, ranks, stretches }: WasmCounterParts): Promise<WasmCounter> {
  instance ??= initialize(wasm)
  const memory = await instance.catch((cause: unknown) => {
    instance = undefined
    throw cause
  })
  // Special tokens are left out: text that looks like one is ordinary text.
  const encoder = new Tiktoken(toTiktokenText(ranks), {}, O200K_PATTERN)
  const bulk = { count: (text: string) => encoder.encode_ordinary(text).length }
  return {
    ...createGuardedCounter({ bulk, stretches }),
    memoryBytes: () => memory.buffer.byteLength,
    free: () => encoder.free(),
  }
}

async function initialize(wasm: WasmSource): Promise<WebAssembly.Memory> {
  let memory: WebAssembly.Memory | undefined
  await init(async (imports) => {
    const started = await instantiate(wasm, imports)
    memory = memoryOf(started)
    return started
  })
  if (!memory) throw new Error('the binding of @dqbd/tiktoken was started before by someone else')
  return memory
}

async function instantiate(wasm: WasmSource, imports: WebAssembly.Imports): Promise<WebAssembly.Instance> {
  if (wasm instanceof WebAssembly.Module) return WebAssembly.instantiate(wasm, imports)
  const bytes = typeof wasm === 'string' ? bytesOfBase64(wasm) : wasm
  return (await WebAssembly.instantiate(bytes, imports)).instance
}

/** Throws for a module that is not the encoder: the binding would keep it, and the thread could have no other. */
function memoryOf({ exports }: WebAssembly.Instance): WebAssembly.Memory {
  const { memory, tiktoken_encode_ordinary: encode } = exports
  if (memory instanceof WebAssembly.Memory && typeof encode === 'function') return memory
  throw new Error(
    'the given WASM is not the lite build of @dqbd/tiktoken: it has no tiktoken_encode_ordinary',
  )
}

function bytesOfBase64(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}
