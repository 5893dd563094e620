import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDogear, type Dogear } from './dogear.ts'
import type { JsonObject } from './engine/json.ts'
import type { BranchStore } from './ports.ts'
import { memoryStore } from './stores/memory.ts'
import { makeConversation, requestAt } from './testing/conversation.ts'

const policy = { maxInputTokens: 4000, recovery: 'user' } as const

function open(store: BranchStore = memoryStore()): Dogear {
  return createDogear({ store, policy, tokenizer: { engine: 'script' } })
}

const conversation = makeConversation({ seed: 5, format: 'anthropic', rounds: 14, resultWords: 300 })

/** A branch that was folded, has two lines, a pin and a whole journal. */
async function talk(dogear: Dogear, id = 'chat'): Promise<void> {
  await dogear.warmUp()
  const branch = await dogear.branch(id)
  for (const length of conversation.requests)
    await (await branch.prepare(requestAt(conversation, length))).settle({ usage: null })
  await branch.pin(2)
  const last = requestAt(conversation, conversation.requests.at(-1) ?? 0)
  const messages = [...(last.messages as JsonObject[]).slice(0, -1), { role: 'user', content: 'Otherwise?' }]
  await branch.prepare({ ...last, messages }).catch(() => undefined)
}

async function everything(store: BranchStore, id: string) {
  const stored = await store.load(id)
  const { revision: _, ...branch } = stored?.branch ?? { revision: '' }
  return { ...stored, branch, journal: await store.journal(id) }
}

describe('a file of branches', () => {
  it('[R75] makes an equal branch elsewhere, with every original', async () => {
    const [here, there] = [memoryStore(), memoryStore()]
    const [from, to] = [open(here), open(there)]
    await talk(from)
    const file = await from.export()
    const [imported] = await to.import(file)
    expect(imported).toMatchObject({ id: 'chat', format: 'anthropic' })
    expect(await everything(there, 'chat')).toEqual(await everything(here, 'chat'))
    const [one, two] = [await from.branch('chat'), await to.branch('chat')]
    expect(await two.verify()).toEqual(await one.verify())
    expect((await two.verify()).ok).toBe(true)
    expect(await two.lines()).toEqual(await one.lines())
    expect((await one.journal()).folds.length).toBeGreaterThan(0)
    const next = requestAt(conversation, conversation.requests.at(-1) ?? 0)
    expect((await two.prepare(next)).request).toEqual((await one.prepare(next)).request)
    expect(await (await to.export()).text()).toContain('"type":"end"')
    await Promise.all([from.close(), to.close()])
  })

  it('holds the branches that are named, and shares what they share', async () => {
    const dogear = open()
    await talk(dogear, 'a')
    await (await dogear.branch('a')).clone('b')
    const both = await (await dogear.export(['a', 'b'])).text()
    const one = await (await dogear.export(['b'])).text()
    const bodies = (text: string) =>
      text.split('\n').filter((line) => line.startsWith('{"type":"body"')).length
    expect(bodies(both)).toBe(bodies(await (await dogear.export(['a'])).text()))
    expect(one.match(/"type":"branch"/g)).toHaveLength(1)
    await expect(dogear.export(['nobody'])).rejects.toMatchObject({ code: 'invalid_argument' })
    await dogear.close()
  })

  it('never takes the place of a branch that is there', async () => {
    const store = memoryStore()
    const dogear = open(store)
    await talk(dogear)
    const before = await everything(store, 'chat')
    const file = await dogear.export()
    expect((await dogear.import(file)).map(({ id }) => id)).toEqual(['chat (2)'])
    expect((await dogear.import(file)).map(({ id }) => id)).toEqual(['chat (3)'])
    expect(await everything(store, 'chat')).toEqual(before)
    expect((await (await dogear.branch('chat (3)')).verify()).ok).toBe(true)
    await dogear.close()
  })

  it('holds what could not be stored yet', async () => {
    const store = memoryStore()
    const full: BranchStore = {
      ...store,
      commit: () => Promise.reject(new DOMException('', 'QuotaExceededError')),
    }
    const dogear = open(full)
    await (await dogear.branch('chat')).prepare({
      model: 'm',
      messages: [{ role: 'user', content: 'only here' }],
    })
    const elsewhere = open()
    await elsewhere.import(await dogear.export(['chat']))
    const branch = await elsewhere.branch('chat')
    expect(await branch.verify()).toMatchObject({ ok: true, entries: 1 })
    await Promise.all([dogear.close(), elsewhere.close()])
  })

  it('is redacted where somebody says how, and is whole all the same', async () => {
    const dogear = open()
    await talk(dogear)
    const secret = /[a-z]+/gi
    const places = new Set<string>()
    const file = await dogear.export(['chat'], {
      redact: (text, { branchId, path }) => {
        expect(branchId).toBe('chat')
        places.add(path.filter((key) => typeof key === 'string').join('.'))
        return text.replace(secret, 'x')
      },
    })
    const text = await file.text()
    const words = [...JSON.stringify(requestAt(conversation, 5).messages).matchAll(/[a-z]{7,}/g)].map(
      ([word]) => word,
    )
    const kept = words.filter((word) => text.includes(` ${word} `))
    expect(words.length).toBeGreaterThan(30)
    expect(kept).toEqual([])
    expect([...places]).toEqual(expect.arrayContaining(['content.text', 'arguments']))
    const elsewhere = open()
    await elsewhere.import(file)
    expect((await (await elsewhere.branch('chat')).verify()).ok).toBe(true)
    await Promise.all([dogear.close(), elsewhere.close()])
  })

  it('says how far it is, and ends where it is told to', async () => {
    const dogear = open()
    await talk(dogear)
    const written: number[] = []
    const file = await dogear.export(undefined, { onProgress: ({ bytes, of }) => written.push(bytes / of) })
    expect(written.at(-1)).toBe(1)
    const read: number[] = []
    await open().import(file, { onProgress: ({ bytes, of }) => read.push(bytes / of) })
    expect(read.at(-1)).toBe(1)
    const signal = AbortSignal.abort()
    await expect(dogear.export(undefined, { signal })).rejects.toMatchObject({ code: 'aborted' })
    const store = memoryStore()
    await expect(open(store).import(file, { signal })).rejects.toMatchObject({ code: 'aborted' })
    expect(await store.branches()).toEqual([])
    await dogear.close()
  })
})

describe('a file that is not what it should be', () => {
  const files = (async () => {
    const dogear = open()
    await talk(dogear)
    const text = await (await dogear.export()).text()
    await dogear.close()
    return text.trimEnd().split('\n')
  })()

  async function refused(text: string | Uint8Array<ArrayBuffer>): Promise<unknown> {
    const store = memoryStore()
    const dogear = open(store)
    const reason: unknown = await dogear.import(new Blob([text])).catch((error: unknown) => error)
    expect(await store.branches()).toEqual([])
    await dogear.close()
    return reason
  }

  type Row = { type: string; row?: Record<string, never>; [key: string]: unknown }
  const changed = (lines: readonly string[], type: string, change: (row: Row) => unknown): string =>
    lines
      .map((line) => {
        const row = JSON.parse(line) as Row
        if (row.type === type) change(row)
        return JSON.stringify(row)
      })
      .join('\n')

  const cases: readonly (readonly [what: string, of: (lines: readonly string[]) => string])[] = [
    ['empty', () => ''],
    ['another text', () => 'Dear diary,'],
    ['JSON of another kind', () => '{"messages":[]}'],
    ['of another format', (lines) => changed(lines, 'header', (row) => Object.assign(row, { format: 'x' }))],
    ['of a newer version', (lines) => changed(lines, 'header', (row) => Object.assign(row, { v: 2 }))],
    ['without its header', (lines) => lines.slice(1).join('\n')],
    ['with two headers', (lines) => [lines[0], ...lines].join('\n')],
    ['broken off', (lines) => lines.slice(0, -1).join('\n')],
    ['broken off inside a line', (lines) => lines.join('\n').slice(0, -9)],
    ['longer than it says', (lines) => [...lines, lines[1]].join('\n')],
    ['without one of its rows', (lines) => lines.filter((_, place) => place !== 4).join('\n')],
    [
      'with a body that is another',
      (lines) => changed(lines, 'body', (row) => Object.assign(row, { json: '"x"' })),
    ],
    [
      'with a body that is no JSON',
      (lines) => changed(lines, 'body', (row) => Object.assign(row, { json: '{' })),
    ],
    [
      'with a view of what is not there',
      (lines) => changed(lines, 'line', ({ row }) => Object.assign(row ?? {}, { view: [9999] })),
    ],
    [
      'with an entry twice in a view',
      (lines) => changed(lines, 'line', ({ row }) => Object.assign(row ?? {}, { view: [0, 0] })),
    ],
    [
      'with a line that is its own parent',
      (lines) =>
        changed(lines, 'line', ({ row }) =>
          Object.assign(row ?? {}, { parent: { lineId: row?.lineId, index: 0 } }),
        ),
    ],
    [
      'with a line of no parent',
      (lines) =>
        changed(lines, 'line', ({ row }) => Object.assign(row ?? {}, { parent: { lineId: 'x', index: 0 } })),
    ],
    [
      'with an entry of no line',
      (lines) => changed(lines, 'entry', ({ row }) => Object.assign(row ?? {}, { lineId: 'x' })),
    ],
    [
      'with a negative index',
      (lines) => changed(lines, 'entry', ({ row }) => Object.assign(row ?? {}, { index: -1 })),
    ],
    [
      'with a fraction of an entry',
      (lines) => changed(lines, 'entry', ({ row }) => Object.assign(row ?? {}, { chars: 0.5 })),
    ],
    [
      'with an entry of another kind',
      (lines) => changed(lines, 'entry', ({ row }) => Object.assign(row ?? {}, { kind: 'note' })),
    ],
    [
      'with a policy that is none',
      (lines) =>
        changed(lines, 'branch', ({ row }) => Object.assign(row ?? {}, { policy: { maxInputTokens: -1 } })),
    ],
    [
      'with a branch of no id',
      (lines) => changed(lines, 'branch', ({ row }) => Object.assign(row ?? {}, { id: '' })),
    ],
    [
      'with a current line that is not there',
      (lines) => changed(lines, 'branch', ({ row }) => Object.assign(row ?? {}, { lineId: 'x' })),
    ],
    [
      'with a journal that repeats itself',
      (lines) => changed(lines, 'journal', ({ row }) => Object.assign(row ?? {}, { sequence: 0 })),
    ],
    [
      'with numbers without end',
      (lines) => lines.join('\n').replaceAll(/"updatedAt":\d+/g, '"updatedAt":1e999'),
    ],
  ]

  it.each(cases)('is refused whole: %s', async (_, of) => {
    const reason = await refused(of(await files))
    expect(reason).toMatchObject({
      code: 'import_unreadable',
      message: expect.stringContaining('Nothing was changed'),
    })
  })

  it('is refused where it is no text', async () => {
    const bytes = new Uint8Array([0xff, 0xfe, 0x00])
    expect(await refused(bytes)).toMatchObject({ code: 'import_unreadable' })
  })

  it('never says what stands in it', async () => {
    const lines = await files
    for (const [, of] of cases) {
      const { message } = (await refused(of(lines))) as Error
      expect(message).not.toMatch(/keeper|archive|letter|note of/i)
    }
  })

  it('is refused or makes a branch that can be used, whatever was done to it (seed 11)', async () => {
    const lines = await files
    const values = fc.constantFrom(null, 0, -1, 1e6, '', 'x', [], {}, [0], true)
    await fc.assert(
      fc.asyncProperty(fc.nat(lines.length - 1), fc.nat(30), values, async (place, key, value) => {
        const row = JSON.parse(lines[place] ?? '{}') as Row
        const target = (row.row ?? row) as Record<string, unknown>
        const keys = Object.keys(target)
        const name = keys[key % keys.length] ?? 'type'
        target[name] = value
        const text = lines.map((line, at) => (at === place ? JSON.stringify(row) : line)).join('\n')
        const dogear = open()
        const imported = await dogear.import(new Blob([text])).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'import_unreadable' })
          return []
        })
        for (const { id } of imported) {
          const branch = await dogear.branch(id)
          await branch.verify()
          await branch.getMessages({ scope: 'all' })
          await branch
            .prepare(requestAt(conversation, 5))
            .catch((error: unknown) =>
              expect(error).toMatchObject({ code: expect.stringMatching(/input_ceiling|invalid_request/) }),
            )
        }
        await dogear.close()
      }),
      { seed: 11, numRuns: 150 },
    )
  })
})
