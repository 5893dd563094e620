import { readFile } from 'node:fs/promises'
import { get_encoding } from '@dqbd/tiktoken'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadRanks } from './load-ranks.ts'
import { wasmBase64 } from './wasm-binary.ts'
import { createWasmCounter, type WasmCounter, type WasmSource } from './wasm-counter.ts'

// The full build: the lite one shares its binding with the counter under test.
const reference = get_encoding('o200k_base')
const stretches = { count: (text: string) => reference.encode_ordinary(text).length }

describe('createWasmCounter', () => {
  let counter: WasmCounter

  beforeAll(async () => {
    await expect(create(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))).rejects.toThrow(/lite build/)
    counter = await create(wasmBase64)
  })

  async function create(wasm: WasmSource) {
    return createWasmCounter({ wasm, ranks: await loadRanks(), stretches })
  }

  it.each([
    ['', 0],
    ['hello world', 2],
    ['<|endoftext|>', 7],
    ['\ufeffusing System;', 3],
  ])('counts %j', (text, tokens) => {
    expect(counter.count(text)).toBe(tokens)
  })

  it('counts a long text of every kind as the encoder counts it whole', () => {
    const text = [
      "it's\u0085",
      '中文，好',
      '\u{1f469}\u200d\u{1f680}',
      '\ud800 ',
      'x'.repeat(400),
      ' 12345\r\n\r\n',
    ].join('')
    const whole = text.repeat(200)
    expect(counter.count(whole)).toBe(stretches.count(whole))
  })

  it('keeps its memory flat over texts of any length', () => {
    const text = 'The quick brown fox, 123 {"json": true}\n'.repeat(6000)
    counter.count(text)
    const before = counter.memoryBytes()
    for (let i = 0; i < 5; i++) counter.count(text)
    expect(before).toBeGreaterThan(20_000_000)
    expect(counter.memoryBytes()).toBe(before)
  })

  it('takes bytes and a compiled module as well', async () => {
    const bytes = await readFile(new URL(import.meta.resolve('@dqbd/tiktoken/lite/tiktoken_bg.wasm')))
    for (const wasm of [bytes, await WebAssembly.compile(bytes)]) {
      const other = await create(wasm)
      expect(other.count('hello world')).toBe(2)
      other.free()
    }
  })
})
