import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { waitForUpdate } from '@pydantic/genai-prices'
import { build } from 'vite'
import { describe, expect, it } from 'vitest'
import { bundledSlice } from './bundled-slice.ts'
import { findModel } from './find-model.ts'
import { plainName } from './model-names.ts'
import { overlay } from './overlay.ts'
import { slice } from './slice.generated.ts'
import { sliceText } from './slice-text.ts'

const path = join(import.meta.dirname, 'slice.generated.ts')

describe('the slice', () => {
  it('is what the installed price data and the overlay make', async () => {
    expect(await readFile(path, 'utf8')).toBe(sliceText(await bundledSlice()))
    expect(slice).toEqual(await bundledSlice())
  })

  it('is a chunk of less than 12 KB gzipped', async ({ annotate }) => {
    const { byteLength } = gzipSync(await chunk())
    await annotate(`model slice: ${byteLength} bytes gzipped`)
    expect(byteLength).toBeGreaterThan(1_000)
    expect(byteLength).toBeLessThan(12_000)
  })

  it('lists no name twice at one provider', () => {
    for (const [provider, models] of Object.entries(slice.providers)) {
      const names = models.flatMap(({ model, aliases = [] }) => [plainName(model), ...aliases])
      expect(
        names.filter((name, index) => names.indexOf(name) !== index),
        provider,
      ).toEqual([])
    }
  })

  it('[R2] has ascending boundaries and an open last tier', () => {
    for (const { model, tiers } of Object.values(slice.providers).flat()) {
      const bounds = tiers?.map(({ maxPromptTokens }) => maxPromptTokens ?? Number.POSITIVE_INFINITY) ?? []
      expect(bounds, model).toEqual([...new Set(bounds)].sort((left, right) => left - right))
      if (tiers) expect(tiers.at(-1)?.maxPromptTokens, model).toBeNull()
    }
  })

  it('has every model of the overlay', () => {
    for (const { provider, model } of overlay)
      expect(findModel(slice, { model, provider })).toMatchObject({ provider, model })
  })

  it('leads from every whole name of the price data to the model that the data means', async () => {
    for (const { id, models } of (await waitForUpdate()) ?? []) {
      const listed = new Set(slice.providers[id]?.map(({ model }) => model))
      const meant = new Map<string, string>()
      for (const { id: model, match } of models)
        for (const name of wholeNames(match)) if (!meant.has(name)) meant.set(name, model)
      for (const [name, model] of meant) {
        if (!listed.has(model)) continue
        expect([id, name, findModel(slice, { model: name, provider: id })?.model]).toEqual([id, name, model])
      }
    }
  })
})

function wholeNames(match: object): string[] {
  if ('or' in match && Array.isArray(match.or)) return match.or.flatMap(wholeNames)
  return 'equals' in match && typeof match.equals === 'string' ? [match.equals] : []
}

async function chunk(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: true, lib: { entry: path, formats: ['es'] } },
  })
  const [{ output }] = Array.isArray(built) ? built : [{ output: [] }]
  return output.map((part) => ('code' in part ? part.code : '')).join('')
}
