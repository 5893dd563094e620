import { writeFile } from 'node:fs/promises'
import { bundledSlice } from './bundled-slice.ts'
import { sliceText } from './slice-text.ts'

const slice = await bundledSlice()
await writeFile(new URL('slice.generated.ts', import.meta.url), sliceText(slice))
const count = Object.values(slice.providers).reduce((sum, models) => sum + models.length, 0)
console.log(`${count} models of ${Object.keys(slice.providers).length} providers, ${slice.revision}`)
