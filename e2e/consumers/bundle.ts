import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as buildWithEsbuild } from 'esbuild'
import { build as buildWithVite, createServer } from 'vite'
import webpack from 'webpack'
import type { Served } from './serve-folder.ts'

// Each takes the app's folder, uses the tool's own defaults and returns the folder to serve.

export async function bundleWithVite(app: string): Promise<string> {
  const outDir = join(app, 'dist-vite')
  await buildWithVite({
    root: app,
    configFile: false,
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  })
  return outDir
}

export async function serveWithVite(app: string): Promise<Served> {
  const server = await createServer({
    root: app,
    configFile: false,
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0 },
  })
  await server.listen()
  const address = server.resolvedUrls?.local[0]
  if (address === undefined) throw new Error('Vite serves no local address')
  return { address, close: () => server.close() }
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
