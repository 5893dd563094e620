import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from './engine/json.ts'
import { codePoints } from './engine/text.ts'
import { openTestBranch, type TestBranch } from './testing/open-branch.ts'

const long = Array.from({ length: 12_000 }, (_, line) => `line ${line}`)
  .join('\n')
  .slice(0, 100_045)
const mapping = {
  success: true,
  content: 'c'.repeat(5000),
  items: Array.from({ length: 2000 }, (_, item) => item),
  meta: { b: 1, a: { d: 4, c: 3 } },
  error: 'e'.repeat(5000),
}

/** A turn with one result per content given; the first result has record index 4 when there is no system. */
function request(format: 'openai-chat' | 'anthropic', contents: readonly unknown[]): JsonObject {
  const ids = contents.map((_, position) => `call_${position}`)
  const results = contents.map((content, position) => ({ id: ids[position], content }))
  return format === 'openai-chat'
    ? ({
        model: 'm',
        messages: [
          { role: 'user', content: 'Read.' },
          {
            role: 'assistant',
            content: null,
            tool_calls: ids.map((id) => ({
              id,
              type: 'function',
              function: { name: 'read', arguments: '{}' },
            })),
          },
          ...results.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content })),
        ],
      } as unknown as JsonObject)
    : ({
        model: 'm',
        messages: [
          { role: 'user', content: 'Read.' },
          {
            role: 'assistant',
            content: ids.map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })),
          },
          {
            role: 'user',
            content: results.map(({ id, content }) => ({ type: 'tool_result', tool_use_id: id, content })),
          },
        ],
      } as unknown as JsonObject)
}

async function bounded(maxChars: number | undefined): Promise<TestBranch> {
  return openTestBranch({
    policy: { maxInputTokens: 'none', ...(maxChars === undefined ? {} : { toolResultMaxChars: maxChars }) },
  })
}

/** Contents of the results of a request, in order. */
function contentsOf(sent: unknown): readonly unknown[] {
  const messages = isObject(sent) && Array.isArray(sent.messages) ? sent.messages : []
  return messages.flatMap((message: JsonObject) => {
    if (message.role === 'tool') return [message.content]
    const blocks = Array.isArray(message.content) ? message.content : []
    return blocks.flatMap((block: JsonObject) => (block.type === 'tool_result' ? [block.content] : []))
  })
}

describe.each(['openai-chat', 'anthropic'] as const)('a bound on result bodies, %s', (format) => {
  it.each([1024, 4000, 20_000])(
    '[R163, R170, R174] projects a long result to exactly %i characters, marker included',
    async (maxChars) => {
      const { branch } = await bounded(maxChars)
      const [content] = contentsOf((await branch.prepare(request(format, [long]))).request)
      expect(codePoints(String(content))).toBe(maxChars)
      expect(content).toContain('of 100045 characters omitted')
      expect(String(content).startsWith('line 0\n')).toBe(true)
      expect(String(content).endsWith(long.slice(-20))).toBe(true)
    },
  )

  it('[R164] leaves the stored original, the view and the record as they are', async () => {
    const { branch } = await bounded(4000)
    await branch.prepare(request(format, [long]))
    const { messages } = await branch.getMessages({ scope: 'all' })
    const result = messages.find(({ kind }) => kind === 'result')
    expect(messages.every(({ state }) => state === 'verbatim')).toBe(true)
    let text = ''
    for (let offset: number | null = 0; offset !== null; ) {
      const slice = await branch.readResult({ index: result?.index ?? -1, offset, limit: 16_000 })
      text += slice.text
      offset = slice.nextOffset
    }
    expect(text).toBe(long)
  })

  it('[R129, R165, R166, R168, R169] cuts a mapping value by value, keeps its keys and order, and what says how the call ended', async () => {
    const { branch } = await bounded(4000)
    const [content] = contentsOf((await branch.prepare(request(format, [JSON.stringify(mapping)]))).request)
    const cut = JSON.parse(String(content)) as typeof mapping & { items: string }
    expect(Object.keys(cut)).toEqual(Object.keys(mapping))
    expect(cut).toMatchObject({ success: true, error: mapping.error, meta: mapping.meta })
    expect(codePoints(cut.content)).toBe(4000)
    expect(codePoints(cut.items)).toBe(4000)
    expect(cut.items.startsWith('[JSON preview] [0,1,2')).toBe(true)
  })

  it('[R175, R213] counts offsets in the text that readResult pages over, within the bound', async () => {
    const { branch } = await bounded(4000)
    const [content] = contentsOf((await branch.prepare(request(format, [JSON.stringify(mapping)]))).request)
    const { messages } = await branch.getMessages({ scope: 'all' })
    const index = messages.find(({ kind }) => kind === 'result')?.index ?? -1
    const offset = Number(/omitted: (\d+)-/.exec(String(content))?.[1])
    const { text, total } = await branch.readResult({ index, offset, limit: 10 })
    expect(total).toBe(18_962)
    expect(text).toBe('c'.repeat(10))
    expect(await branch.readResult({ index, offset: 23, limit: 5000 })).toMatchObject({
      text: mapping.content.slice(0, 4000),
      limit: 4000,
    })
  })

  it('[R181] is the same to the byte on every request and under every ceiling', async () => {
    const { branch } = await bounded(4000)
    const first = contentsOf((await branch.prepare(request(format, [long, long]))).request)
    const again = contentsOf((await branch.prepare(request(format, [long, long]))).request)
    expect(again).toEqual(first)
    const roomy = await openTestBranch({ policy: { maxInputTokens: 1_000_000, toolResultMaxChars: 4000 } })
    expect(contentsOf((await roomy.branch.prepare(request(format, [long, long]))).request)).toEqual(first)
  })

  it('[R171, R206, R235] touches no result within the bound, and none at all without one', async () => {
    const contents = [
      'short',
      'x'.repeat(4000),
      JSON.stringify({ a: 'y'.repeat(4000), error: 'z'.repeat(9000) }),
    ]
    for (const maxChars of [4000, undefined]) {
      const { branch } = await bounded(maxChars)
      const incoming = request(format, maxChars === undefined ? [...contents, long] : contents)
      expect(JSON.stringify((await branch.prepare(incoming)).request)).toBe(JSON.stringify(incoming))
    }
  })

  it('[R128] takes each text block for a body of its own, and leaves media alone', async () => {
    const { branch } = await bounded(1024)
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(5000) },
    }
    const blocks = [{ type: 'text', text: long }, image, { type: 'text', text: 'short' }]
    const [content] = contentsOf((await branch.prepare(request(format, [blocks]))).request)
    expect(content).toMatchObject([{ type: 'text' }, image, { type: 'text', text: 'short' }])
    expect(codePoints((content as { text: string }[])[0]?.text ?? '')).toBe(1024)
  })

  it('hands over a copy, so that an app that changes what it got changes nothing here', async () => {
    const { branch } = await bounded(4000)
    const first = await branch.prepare(request(format, [long]))
    const expected = JSON.stringify(first.request)
    const messages = (first.request as { messages: { content: unknown }[] }).messages
    const last = messages.at(-1)
    if (last) last.content = 'changed by the app'
    expect(JSON.stringify((await branch.prepare(request(format, [long]))).request)).toBe(expected)
  })
})
