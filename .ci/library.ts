import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UserConfig } from 'vite'
import { root } from './project.mjs'

/** The modules that people import, by their place in dist/, which is the place of their source. */
const sources = [
  'sdk/index.ts',
  // What the index only names stands in files of its own, so that an app that does not use it does not load it.
  'sdk/dogear.ts',
  'sdk/lint-request.ts',
  'sdk/stores/idb.ts',
  'sdk/transcript/transcript.ts',
  'sdk/ai-sdk.ts',
  'sdk/react.ts',
  'sdk/tokenizer.ts',
  'sdk/testing.ts',
  'panel/index.tsx',
  'panel/mount.tsx',
  'panel/DogearPanel.tsx',
  'panel/DogearDevtools.tsx',
  'panel/production.tsx',
]

/** Hold hooks, which frameworks that render on a server must leave to the browser. */
const clientEntries = [
  'sdk/react',
  'panel/index',
  'panel/DogearDevtools',
  'panel/DogearPanel',
  'panel/production',
]

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const installedByTheApp = Object.keys({ ...dependencies, ...peerDependencies })

/**
 * The package: ES modules, with every lazy part a chunk of plain JavaScript, since that is what all bundlers take
 * without configuration. The tokenizer's worker is there twice: as text inside a chunk, and as a file of its own.
 */
export const library: UserConfig = {
  root,
  // Relative, or the worker's file would be looked for at the root of the app's server.
  base: './',
  publicDir: false,
  worker: {
    format: 'es',
    rolldownOptions: { output: { entryFileNames: 'sdk/tokenizer/[name].js', minify: true } },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    minify: false,
    reportCompressedSize: false,
    lib: {
      entry: Object.fromEntries(
        sources
          .filter((source) => existsSync(join(root, source)))
          .map((source) => [source.replace(/\.tsx?$/, ''), join(root, source)]),
      ),
      formats: ['es'],
    },
    rolldownOptions: {
      external: (id) => installedByTheApp.some((name) => id === name || id.startsWith(`${name}/`)),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name].js',
        banner: ({ name }) => (clientEntries.includes(name) ? "'use client'" : ''),
      },
    },
  },
}
