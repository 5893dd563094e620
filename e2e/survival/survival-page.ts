import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../../.ci/project.mjs'
import { type Served, serveFolder } from '../consumers/serve-folder.ts'

const fixture = join(root, 'e2e/fixtures/survival')

/** What the page has for these tests. */
export interface Survival {
  readonly works: Readonly<Record<Work, (seed: number) => Promise<never>>>
  check(seed: number, told: readonly Told[]): Promise<Checked>
  append(tab: number, appends: number): Promise<void>
  keysInOrder(): Promise<readonly string[]>
  say(texts: readonly string[]): Promise<void>
  told(): Promise<{
    readonly lines: readonly (number | null)[]
    readonly verified: { readonly ok: boolean; readonly entries: number }
    readonly decisions: number
  }>
  listen(): Promise<void>
  heard(): number
}

export type Work = 'fold' | 'settle' | 'import'

/** What a page said to be stored for good. */
export interface Told {
  readonly id?: string
  readonly imported?: readonly string[]
  readonly length: number
  readonly entries?: number
  readonly settlements?: number
}

export interface Checked {
  readonly problems: readonly string[]
  readonly branches: number
  readonly counts: readonly number[]
}

declare global {
  interface Window {
    survival: Survival
    acknowledge(told: Told): Promise<void>
  }
}

/** Serves a page that uses the built package as an app does. */
export async function serveSurvivalPage(): Promise<Served> {
  if (!existsSync(join(root, 'dist')))
    throw new Error('these tests use the built package; run npm run build first')
  const folder = mkdtempSync(join(tmpdir(), 'dogear-survival-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/dogear'))
  copyFileSync(join(fixture, 'main.js'), join(folder, 'main.js'))
  await build({
    absWorkingDir: folder,
    entryPoints: ['main.js'],
    outdir: join(folder, 'served'),
    bundle: true,
    splitting: true,
    format: 'esm',
    logLevel: 'error',
  })
  copyFileSync(join(fixture, 'index.html'), join(folder, 'served/index.html'))
  const { address, close } = await serveFolder(join(folder, 'served'))
  return {
    address,
    async close() {
      await close()
      rmSync(folder, { recursive: true })
    },
  }
}
