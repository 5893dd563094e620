import { expect, it } from 'vitest'
import { InlineBackend } from './inline-backend.ts'
import { loadRanks } from './load-ranks.ts'
import { wasmBase64 } from './wasm-binary.ts'

const longText = 'one two, three. '.repeat(200_000)

it('counts no further after it is closed', async () => {
  const backend = new InlineBackend(await loadRanks())
  const counting = backend.count([longText])
  backend.close()
  backend.close()
  await expect(counting).rejects.toMatchObject({ code: 'tokenizer_unavailable' })
})

it('takes no WASM after it is closed', async () => {
  const backend = new InlineBackend(await loadRanks())
  const adding = backend.addWasm(wasmBase64)
  backend.close()
  await expect(adding).rejects.toMatchObject({ code: 'tokenizer_unavailable' })
})
