import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { root } from './project.mjs'

/**
 * What an app downloads, in kilobytes (1,000 bytes) after gzip: code that imports the built package, bundled and
 * minified with the package's dependencies and without React, which the app has. `entry` comes with the import;
 * every other name is a chunk that loads when it is needed, and one without a name here must stay under `others`.
 *
 * @type {readonly { name: string, code: string, ceilings: Record<string, number>, others: number }[]}
 */
const apps = [
  {
    name: 'dogear',
    code: "export { createDogear } from 'dogear'",
    // What the import costs; the branches come with the first of them, with all stages of folds and repairs.
    ceilings: { entry: 12, 'live-branches': 48, 'ranks.generated': 800, 'wasm-binary': 600 },
    others: 12,
  },
  {
    name: 'dogear/tokenizer',
    code: "export { createTokenizer, loadTokenizer } from 'dogear/tokenizer'",
    // Counting requests takes every format.
    ceilings: { entry: 6, 'count-request': 40, 'ranks.generated': 800, 'wasm-binary': 600 },
    others: 12,
  },
  {
    name: 'dogear/ai-sdk',
    code: "export { contextTool, dogearMiddleware } from 'dogear/ai-sdk'",
    ceilings: { entry: 3 },
    others: 0,
  },
  {
    name: 'dogear/react',
    code: "export { useBranch, useContextMeter, useFolds } from 'dogear/react'",
    ceilings: { entry: 2 },
    others: 0,
  },
  {
    name: 'dogear/panel',
    code: "export { DogearPanel } from 'dogear/panel'",
    // The bare panel is wanted as soon as it is imported; only the chart comes after it.
    ceilings: { entry: 31, Chart: 120 },
    others: 100,
  },
  {
    name: 'devtools',
    code: "export { DogearDevtools } from 'dogear/panel'",
    // What is in the app whether the panel is opened or not.
    ceilings: { entry: 3, Chart: 120 },
    others: 100,
  },
]

/** What is imported beside a dogear, which brings the counter. */
const counterless = ['devtools', 'dogear/ai-sdk', 'dogear/panel', 'dogear/react']

/** Marks of what only lazy chunks may hold, of which every other app has some. */
const lazyOnly = { WASM: 'AGFzbQEAAAA', vocabulary: 'size:199998', binding: 'tiktoken_encode_ordinary' }

/** @type {string[]} */
const faults = []

/** @param {(string | number)[]} cells */
function printRow([app = '', chunk = '', size = '', ceiling = '']) {
  const columns = [
    `${app}`.padEnd(18),
    `${chunk}`.padEnd(18),
    `${size}`.padStart(8),
    `${ceiling}`.padStart(8),
  ]
  console.log(columns.join(' '))
}

printRow(['import', 'chunk', 'gzip KB', 'ceiling'])
for (const { name, code, ceilings, others } of apps) {
  const chunks = await bundle(code)
  const entry = withStaticImports(chunks)
  check(name, 'entry', entry, ceilings.entry ?? others)
  for (const chunk of chunks.filter((each) => !entry.includes(each))) {
    check(name, chunk.name, [chunk], ceilings[chunk.name] ?? others)
  }
  for (const [what, mark] of Object.entries(lazyOnly)) {
    const holders = chunks.filter((chunk) => chunk.code.includes(mark))
    if (holders.some((chunk) => entry.includes(chunk))) faults.push(`${name}: the entry holds the ${what}`)
    if (holders.length === 0 && !counterless.includes(name))
      faults.push(`${name}: no chunk holds the ${what}`)
  }
}
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1

/** @typedef {{ name: string, fileName: string, code: string, isEntry: boolean, imports: readonly string[] }} Chunk */

/**
 * @param {string} code
 * @returns {Promise<Chunk[]>}
 */
async function bundle(code) {
  const app = 'virtual:app'
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === app ? app : undefined),
        load: (id) => (id === app ? code : undefined),
      },
    ],
    build: {
      write: false,
      modulePreload: false,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input: app,
        preserveEntrySignatures: 'strict',
        external: [/^react($|\/)/, /^react-dom($|\/)/],
        // That a module is for the browser alone says nothing to an app that is.
        onwarn: (warning, warn) => {
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
        },
      },
    },
  })
  if (!('output' in built)) throw new Error('Vite must build one output for one input')
  return built.output.flatMap((each) => (each.type === 'chunk' ? [each] : []))
}

/**
 * The entry and every chunk that the browser loads with it.
 *
 * @param {readonly Chunk[]} chunks
 * @returns {Chunk[]}
 */
function withStaticImports(chunks) {
  const reached = new Set(chunks.filter(({ isEntry }) => isEntry))
  for (const { imports } of reached) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) reached.add(chunk)
  }
  return [...reached]
}

/**
 * @param {string} app
 * @param {string} name
 * @param {readonly Chunk[]} chunks
 * @param {number} ceiling
 */
function check(app, name, chunks, ceiling) {
  const size = chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0) / 1000
  printRow([app, name, size.toFixed(1), ceiling])
  if (size > ceiling) faults.push(`${app}: ${name} has ${size.toFixed(1)} KB, more than ${ceiling}`)
}
