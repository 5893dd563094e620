import { waitForUpdate } from '@pydantic/genai-prices'
import manifest from '../../package.json' with { type: 'json' }
import { buildSlice } from './build-slice.ts'
import type { ModelSlice } from './slice.ts'

/** The slice of the price data that is installed. Runs at build time only. */
export async function bundledSlice(): Promise<ModelSlice> {
  const data = await waitForUpdate()
  if (!data) throw new TypeError('@pydantic/genai-prices has no bundled data; expected a list of providers')
  return buildSlice(data, manifest.devDependencies['@pydantic/genai-prices'])
}
