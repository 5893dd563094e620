import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { build as buildWithEsbuild } from 'esbuild'
import { rollup } from 'rollup'
import * as vite from 'vite'
import webpack from 'webpack'
import type { Served } from './serve-folder.ts'

/** Any of Vite's major versions: what is used of them has been the same since the oldest. */
interface Vite {
  build(config: ViteConfig & { readonly build: { outDir: string; emptyOutDir: boolean } }): Promise<unknown>
  createServer(config: ViteConfig & { readonly server: { host: string; port: number } }): Promise<{
    readonly resolvedUrls: { readonly local: readonly string[] } | null
    listen(): Promise<unknown>
    close(): Promise<void>
  }>
}

interface ViteConfig {
  root: string
  configFile: false
  logLevel: 'error'
  cacheDir: string
}

function viteConfig(app: string, version: string): ViteConfig {
  return { root: app, configFile: false, logLevel: 'error', cacheDir: join(app, `node_modules/.${version}`) }
}

/** The project's own Vite, or one of those that the app has beside it. */
async function loadVite(app: string, version: string): Promise<Vite> {
  if (version === 'vite') return vite
  return await import(pathToFileURL(join(app, 'node_modules', version, 'dist/node/index.js')).href)
}

// Each takes the app's folder, uses the tool's own defaults and returns the folder to serve.

export async function bundleWithVite(app: string, version = 'vite'): Promise<string> {
  const { build } = await loadVite(app, version)
  const outDir = join(app, `dist-${version}`)
  await build({ ...viteConfig(app, version), build: { outDir, emptyOutDir: true } })
  return outDir
}

export async function serveWithVite(app: string, version = 'vite'): Promise<Served> {
  const { createServer } = await loadVite(app, version)
  const server = await createServer({
    ...viteConfig(app, version),
    server: { host: '127.0.0.1', port: 0 },
  })
  await server.listen()
  const address = server.resolvedUrls?.local[0]
  if (address === undefined) throw new Error('Vite serves no local address')
  return { address, close: () => server.close() }
}

export async function bundleWithRollup(app: string): Promise<string> {
  const dir = join(app, 'dist-rollup')
  const bundle = await rollup({
    input: join(app, 'main.js'),
    plugins: [nodeResolve({ browser: true })],
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message)
    },
  })
  await bundle.write({ dir, format: 'es' })
  await bundle.close()
  copyFileSync(join(app, 'index.html'), join(dir, 'index.html'))
  return dir
}

export async function bundleWithWebpack(app: string): Promise<string> {
  const out = join(app, 'dist-webpack')
  await new Promise<void>((resolve, reject) => {
    webpack(
      { mode: 'production', context: app, entry: './main.js', output: { path: out, filename: 'main.js' } },
      (error, stats) => {
        if (error || !stats || stats.hasErrors()) reject(error ?? new Error(stats?.toString('errors-only')))
        else resolve()
      },
    )
  })
  copyFileSync(join(app, 'index.html'), join(out, 'index.html'))
  return out
}

export async function bundleWithEsbuild(app: string): Promise<string> {
  const outdir = join(app, 'dist-esbuild')
  await buildWithEsbuild({
    absWorkingDir: app,
    entryPoints: ['main.js'],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    logLevel: 'error',
  })
  copyFileSync(join(app, 'index.html'), join(outdir, 'index.html'))
  return outdir
}

/** The app's own files: an import map says where the package lies, and the browser does the rest. */
export async function withoutBundler(app: string): Promise<string> {
  const folder = join(app, 'plain')
  cpSync(join(app, 'node_modules/dogear/dist'), join(folder, 'dogear'), { recursive: true })
  copyFileSync(join(app, 'main.js'), join(folder, 'main.js'))
  const imports = { 'dogear/tokenizer': './dogear/sdk/tokenizer.js' }
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`
  const page = readFileSync(join(app, 'index.html'), 'utf8')
  writeFileSync(join(folder, 'index.html'), page.replace('</head>', `${map}</head>`))
  return folder
}
