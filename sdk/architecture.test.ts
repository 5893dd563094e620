import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findViolations } from '../.ci/rules/find-violations.ts'
import { readTree } from '../.ci/rules/tree.ts'

/** A small tree: the given files, and an empty module for each name without a text. */
function violations(...files: (string | readonly [path: string, text: string])[]): string[] {
  return findViolations(
    files.map((file) =>
      typeof file === 'string' ? { path: file, text: '' } : { path: file[0], text: file[1] },
    ),
  )
}

describe('this project', () => {
  it('keeps its own rules', () => {
    expect(findViolations(readTree(join(import.meta.dirname, '..')))).toEqual([])
  })
})

describe('imports', () => {
  const forbidden = [
    ['sdk/engine/fold.ts', "import { read } from '../wire/read.ts'", 'sdk/wire/read.ts'],
    ['sdk/engine/fold.ts', "import type { Store } from '../ports.ts'", 'sdk/ports.ts'],
    [
      'sdk/wire/anthropic/read.ts',
      "import { count } from '../../tokenizer/count.ts'",
      'sdk/tokenizer/count.ts',
    ],
    [
      'sdk/wire/anthropic/read.ts',
      "import { read } from '../openai-chat/read.ts'",
      'sdk/wire/openai-chat/read.ts',
    ],
    ['sdk/wire/read.ts', "import type { Event } from '../events.ts'", 'sdk/events.ts'],
    ['sdk/tokenizer/count.ts', "export { idb } from '../stores/idb.ts'", 'sdk/stores/idb.ts'],
    ['sdk/stores/idb.ts', "const models = await import('../models/slice.ts')", 'sdk/models/slice.ts'],
    ['sdk/models/slice.ts', "type Row = import('../stores/row.ts').Row", 'sdk/stores/row.ts'],
    ['sdk/session.ts', "import { idb } from './stores/idb.ts'", 'sdk/stores/idb.ts'],
    [
      'sdk/session.ts',
      "new Worker(new URL('./tokenizer/worker.ts', import.meta.url))",
      'sdk/tokenizer/worker.ts',
    ],
    ['sdk/session.ts', "import { createDogear } from './index.ts'", 'sdk/index.ts'],
    ['sdk/session.ts', 'const ranks = import(`./tokenizer/ranks.ts`)', 'sdk/tokenizer/ranks.ts'],
    ['sdk/session.ts', "import wasm from './tokenizer/bytes.wasm?inline'", 'sdk/tokenizer/bytes.wasm'],
    ['sdk/session.ts', "import { findChromium } from '../.ci/chromium.mjs'", '.ci/chromium.mjs'],
    ['panel/reduce.ts', "export { sum } from '../sdk/engine/sum.ts'", 'sdk/engine/sum.ts'],
    ['panel/store.ts', "type Held = import('../sdk/branch.ts').Branch", 'sdk/branch.ts'],
    ['sdk/session.ts', "import { useFolds } from './react-folds.ts'", 'sdk/react-folds.ts'],
    ['sdk/index.ts', "export { useFolds } from './react.ts'", 'sdk/react.ts'],
    ['sdk/react-folds.ts', "import { idb } from './stores/idb.ts'", 'sdk/stores/idb.ts'],
    ['sdk/ports.ts', "import type { Session } from './session.ts'", 'sdk/session.ts'],
    ['sdk/index.ts', "import { Panel } from '../panel/Panel.tsx'", 'panel/Panel.tsx'],
    ['panel/reduce.ts', "import { sum } from '../sdk/engine/sum.ts'", 'sdk/engine/sum.ts'],
    ['panel/reduce.ts', "import { type Sum } from '../sdk/engine/sum.ts'", 'sdk/engine/sum.ts'],
    ['panel/source.ts', "import { createDogear } from '../sdk/index.ts'", 'sdk/index.ts'],
    ['panel/store.ts', "import type { Branch } from '../sdk/branch.ts'", 'sdk/branch.ts'],
    ['panel/store.ts', "import type { Step } from '../sdk/session.ts'", 'sdk/session.ts'],
    ['demo/player.ts', "import { createDogear } from '../sdk/dogear.ts'", 'sdk/dogear.ts'],
    ['demo/player.ts', "import { play } from '../sdk/transcript/play.ts'", 'sdk/transcript/play.ts'],
    ['e2e/fold.spec.ts', "import type { Event } from '../sdk/events.ts'", 'sdk/events.ts'],
    ['sdk/session.ts', "import { check } from './session.test.ts'", 'sdk/session.test.ts'],
    ['sdk/new-folder/fold.ts', "import { idb } from '../stores/idb.ts'", 'sdk/stores/idb.ts'],
  ] as const

  it.each(forbidden)('from %s: %s', (path, text, target) => {
    const found = violations([path, text], target)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(`${path} imports `)
    expect(found[0]).toContain(target.slice(target.lastIndexOf('/') + 1))
  })

  const allowed = [
    ['sdk/engine/fold.ts', "import { sum } from './stages/sum.ts'", 'sdk/engine/stages/sum.ts'],
    ['sdk/wire/anthropic/read.ts', "import { match } from '../match.ts'", 'sdk/wire/match.ts'],
    ['sdk/wire/formats.ts', "import { read } from './anthropic/read.ts'", 'sdk/wire/anthropic/read.ts'],
    ['sdk/stores/idb.ts', "import { StoreError } from '../errors.ts'", 'sdk/errors.ts'],
    ['sdk/session.ts', "import { formats } from './wire/formats.ts'", 'sdk/wire/formats.ts'],
    ['sdk/index.ts', "import { idb } from './stores/idb.ts'", 'sdk/stores/idb.ts'],
    ['sdk/tokenizer/load.ts', "import wasm from './bytes.wasm?inline'", 'sdk/tokenizer/bytes.wasm'],
    ['sdk/dogear.ts', "import { idb } from './stores/idb.ts'", 'sdk/stores/idb.ts'],
    ['sdk/session.ts', "import type { Branch } from './branch.ts'", 'sdk/branch.ts'],
    ['sdk/react-branch.ts', "import type { Dogear } from './dogear.ts'", 'sdk/dogear.ts'],
    ['sdk/react-branch.ts', "import { Emitter } from './emitter.ts'", 'sdk/emitter.ts'],
    ['sdk/session.ts', "new URL('./tokenizer/worker.ts', pageAddress)", 'sdk/tokenizer/worker.ts'],
    ['sdk/session.ts', "new URL('../assets/', import.meta.url)", 'assets/one.png'],
    ['panel/reduce.ts', "import type { Event } from '../sdk/events.ts'", 'sdk/events.ts'],
    ['panel/reduce.ts', "export type { Event } from '../sdk/events.ts'", 'sdk/events.ts'],
    ['panel/source.ts', "import type { Branch } from '../sdk/branch.ts'", 'sdk/branch.ts'],
    ['demo/player.ts', "import { createDogear } from '../sdk/index.ts'", 'sdk/index.ts'],
    ['e2e/fold.spec.ts', "import { page } from './page.ts'", 'e2e/page.ts'],
    ['e2e/playwright.config.ts', "import { findChromium } from '../.ci/chromium.mjs'", '.ci/chromium.mjs'],
    ['sdk/wire/read.test.ts', "import { generate } from '../testing/generate.ts'", 'sdk/testing/generate.ts'],
  ] as const

  it.each(allowed)('may go from %s: %s', (path, text, target) => {
    expect(violations([path, text], target)).toEqual([])
  })

  const packages = [
    ['sdk/engine/fold.ts', 'fast-check'],
    ['sdk/session.ts', 'react'],
    ['sdk/dogear.ts', 'react'],
    ['sdk/stores/idb.ts', 'node:fs'],
    ['sdk/session.ts', 'dogear'],
    ['panel/reduce.ts', 'dogear'],
    ['e2e/fold.spec.ts', 'dogear/testing'],
  ] as const

  it.each(packages)('from %s do not reach %s', (path, name) => {
    expect(violations([path, `import { something } from '${name}'`])).toHaveLength(1)
  })

  it.each([
    ['panel/Panel.tsx', 'react'],
    ['sdk/react-branch.ts', 'react'],
    ['sdk/testing/mount.tsx', 'react-dom'],
    ['sdk/stores/idb.ts', 'idb'],
    ['sdk/models/generate.ts', 'node:fs'],
    ['demo/main.tsx', 'dogear/panel'],
    ['e2e/fold.spec.ts', 'node:fs'],
  ])('from %s may reach %s', (path, name) => {
    expect(violations([path, `import { something } from '${name}'`])).toEqual([])
  })

  it('of types alone reach from the panel to the public entries, and to any package but from the engine', () => {
    expect(violations(['panel/reduce.ts', "import type { DogearEvent } from 'dogear'"])).toEqual([])
    expect(violations(['panel/store.ts', "import type { Branch } from 'dogear'"])).toHaveLength(1)
    expect(violations(['sdk/session.ts', "import type { ReactNode } from 'react'"])).toEqual([])
    expect(violations(['sdk/engine/fold.ts', "import type { ReactNode } from 'react'"])).toHaveLength(1)
  })

  it('are followed through an export of everything', () => {
    expect(violations(['sdk/engine/a.ts', "export * from '../session.ts'"], 'sdk/session.ts')).toContain(
      'sdk/engine/a.ts imports ../session.ts: engine may import engine',
    )
  })

  it('lead to a file that is there', () => {
    expect(violations(['sdk/session.ts', "import { fold } from './fold'"], 'sdk/fold.ts')).toEqual([
      'sdk/session.ts imports ./fold: there is no such file',
    ])
  })
})

describe('a module', () => {
  it('that cannot be parsed is named', () => {
    expect(() => violations(['sdk/session.ts', 'const const'])).toThrow('sdk/session.ts: ')
  })

  it('in a folder of fixtures is input, not source', () => {
    expect(violations(['sdk/fixtures/consumers/app.js', "import './missing.js'"])).toEqual([])
  })

  it('that is generated is not looked into', () => {
    expect(violations(['sdk/models/slice.generated.ts', `export default '${'TO'}${'DO'}'`])).toEqual([])
  })
})

describe('cycles', () => {
  it('fail with the files on the way, types included', () => {
    expect(
      violations(
        ['sdk/engine/a.ts', "import { b } from './b.ts'"],
        ['sdk/engine/b.ts', "import type { C } from './c.ts'"],
        ['sdk/engine/c.ts', "export const later = () => import('./a.ts')"],
      ),
    ).toEqual(['cycle: sdk/engine/a.ts → sdk/engine/b.ts → sdk/engine/c.ts → sdk/engine/a.ts'])
  })

  it('are not seen where two ways lead to one file', () => {
    expect(
      violations(
        ['sdk/engine/a.ts', "import './b.ts'; import './c.ts'"],
        ['sdk/engine/b.ts', "import './c.ts'"],
        'sdk/engine/c.ts',
      ),
    ).toEqual([])
  })
})

describe('the engine', () => {
  it('is compiled without the DOM and without the types of any platform', () => {
    const { compilerOptions } = JSON.parse(
      readFileSync(join(import.meta.dirname, 'engine/tsconfig.json'), 'utf8'),
    )
    expect(compilerOptions).toMatchObject({ lib: ['ES2023'], types: [] })
  })

  it.each([
    ['Date', 'const at = Date.now()'],
    ['Date', 'const at = new Date()'],
    ['Math.random', 'const chance = Math.random()'],
    ['Math as a value', 'const { random } = Math'],
    ['console', 'console.log(1)'],
    ['crypto', 'const id = crypto.randomUUID()'],
    ['setTimeout', 'setTimeout(() => {}, 1)'],
    ['globalThis', "const clock = globalThis['Date']"],
    ['await', 'const one = await two'],
    ['async', 'const one = async () => {}'],
    ['async', 'const one = { async two() {} }'],
    ['async', 'async function one() {}'],
    ['await', 'for await (const one of all) void one'],
    ['crypto', 'const one = { crypto }'],
    ['process', 'const one = { [process]: 1 }'],
    ['console', 'const one = all[console]'],
    ['Promise', 'const one = Promise.resolve(1)'],
  ])('does not use %s: %s', (what, text) => {
    expect(violations(['sdk/engine/a.ts', text])).toEqual([
      `sdk/engine/a.ts uses ${what}: the engine is pure and synchronous`,
    ])
    expect(violations(['sdk/session.ts', text])).toEqual([])
    expect(violations(['sdk/engine/a.test.ts', text])).toEqual([])
  })

  it.each([
    'const size = Math.max(1, 2)',
    'const name = entry.process',
    'const entry = { crypto: 1 }',
    'class Entry { process = 1; fetch() {} }',
    'interface Entry { readonly performance: number; fetch(): void }',
    "const text = 'await Date.now()' // console.log",
  ])('may say %s', (text) => {
    expect(violations(['sdk/engine/a.ts', text])).toEqual([])
  })
})

describe('a file', () => {
  it('has no default export unless a tool looks for it', () => {
    expect(violations(['sdk/session.ts', 'export default 1'])).toHaveLength(1)
    expect(violations(['vite.config.ts', 'export default 1'])).toEqual([])
  })

  it.each(["export * from './errors.ts'", "export * as errors from './errors.ts'"])('does not %s', (text) => {
    expect(violations(['sdk/index.ts', text], 'sdk/errors.ts')).toHaveLength(1)
  })

  it.each(['sdk/utils.ts', 'sdk/wire/types.ts', 'panel/helpers.tsx', 'sdk/readBody.ts', 'sdk/Session.ts'])(
    'is not called %s',
    (path) => {
      expect(violations(path)).toHaveLength(1)
    },
  )

  it.each(['sdk/read-body.browser.test.ts', 'panel/views/RequestsPane.tsx', 'panel/index.tsx'])(
    'may be called %s',
    (path) => {
      expect(violations(path)).toEqual([])
    },
  )

  it('has at most 400 lines unless it is generated', () => {
    const long = 'void 0\n'.repeat(401)
    expect(violations(['sdk/session.ts', long])).toEqual([
      'sdk/session.ts has 401 lines, more than 400: split it by its ideas',
    ])
    expect(violations(['sdk/session.ts', long.slice(7)])).toEqual([])
    expect(violations(['sdk/models/slice.generated.ts', long])).toEqual([])
  })
})

describe('leftovers', () => {
  const slash = '/'
  it.each([
    ['a path of one machine', ['', 'tmp', 'log'].join(slash)],
    ['a path of one machine', ['file://', 'root', 'x'].join(slash)],
    ['a path of one machine', ['', 'home', 'someone', 'x'].join(slash)],
    ['the host of a registry', ['registry', 'npmjs', 'org'].join('.')],
    ['a note to self', `// ${'to'.toUpperCase()}${'do'.toUpperCase()}: later`],
    ['a test that is focused, skipped or expected to fail', `it.${'only'}('works')`],
    ['a test that is focused, skipped or expected to fail', `describe.${'skipIf'}(true)('works')`],
  ])('fail as %s', (what, line) => {
    expect(violations(['README.md', `first\n${line}\n`])).toEqual([`README.md:2 holds ${what}`])
  })

  it('are looked for in the lock file only where they are no hash', () => {
    expect(violations(['package-lock.json', `"sha512-${'TO'}${'DO'}+x"`])).toEqual([])
    expect(
      violations(['package-lock.json', `https://${['registry', 'npmjs', 'org'].join('.')}/x`]),
    ).toHaveLength(1)
  })
})
