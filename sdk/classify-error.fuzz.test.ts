import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classifyError } from './classify-error.ts'
import { lengthFacts, lengthSentence, openAiError } from './testing/length-errors.ts'

describe('an error of any shape', () => {
  const cycle: Record<string, unknown> = { code: 400 }
  Object.assign(cycle, { error: cycle, cause: cycle, errors: [cycle] })
  const throwing = new Proxy(new Error('no'), {
    get: () => {
      throw new Error('read')
    },
  })
  const endless = (): object =>
    new Proxy(new Error('no'), { get: (_, name) => (name === 'message' ? '' : endless()) })
  function deepList(): object {
    return JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)
  }
  const { proxy: revoked, revoke } = Proxy.revocable([], {})
  revoke()

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 400],
    ['a symbol', Symbol('x')],
    ['a function', () => lengthSentence],
    ['a cycle', cycle],
    ['fields that cannot be read', throwing],
    ['fields without an end', endless()],
    ['what is gone', revoked],
    ['deep lists', deepList()],
    ['deep text', `${'['.repeat(90_000)}`],
    ['deep errors', Array.from({ length: 500 }).reduce((error) => ({ error }), { message: lengthSentence })],
    ['a list that lies about its length', Object.assign([], { length: 4_294_967_295 })],
    ['text of spaces', ' '.repeat(10_000_000)],
    ['long text', 'prompt is too long: '.repeat(500_000)],
    ['long text that is nearly JSON', `{"error": {"message": "${'\\'.repeat(2_000_000)}`],
    ['a long message', { error: { message: `${'9'.repeat(10_000_000)}` } }],
    ['a long code', { error: { code: 'context_length_exceeded'.repeat(100_000) } }],
    ['words that are nearly wrapped', 'Error'.repeat(2_000_000)],
    ['many wrappers', `400 ${'litellm.BadRequestError: '.repeat(100_000)}${lengthSentence}`],
  ])('says nothing and takes no time: %s', (_what, error) => {
    const started = performance.now()
    expect(classifyError(error, { status: 400 })).toBeNull()
    expect(performance.now() - started).toBeLessThan(500)
  })

  it.each<[string, object]>([
    ['fields without an end', { error: endless() }],
    ['a cycle', { error: cycle, cause: cycle }],
    ['lists without an end', { error: deepList() }],
    ['text that is nearly a value', { error: `${'['.repeat(90_000)}` }],
    ['long text', { error: 'x'.repeat(5_000_000) }],
  ])('says what it says beside %s', (_what, fields) => {
    expect(classifyError(Object.assign(new Error(lengthSentence), fields))).toEqual(lengthFacts)
  })

  it('says it at its beginning, and says it short', () => {
    expect(classifyError(`${lengthSentence} ${'x'.repeat(5_000)} rate limit`)).toEqual(lengthFacts)
    expect(classifyError({ error: { message: `${lengthSentence} rate limit` } })).toBeNull()
    const body = { error: { message: lengthSentence }, rest: 'x'.repeat(1_000_000) }
    expect(classifyError(body)).toEqual(lengthFacts)
    expect(classifyError(JSON.stringify(body))).toBeNull()
  })

  it('says what it says beside fields that cannot be read', () => {
    const error = Object.defineProperty({ error: { message: lengthSentence } }, 'message', {
      get: () => {
        throw new Error('read')
      },
    })
    expect(classifyError(error)).toEqual(lengthFacts)
  })

  it('says nothing where it is made of any words (seed 11)', () => {
    const words = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc
        .array(
          fc.constantFrom(
            'tokens',
            'prompt',
            'context',
            'length',
            'maximum',
            'exceeds',
            '8192',
            'is',
            'too',
            'long',
            'limit',
            ':',
            '>',
          ),
          { maxLength: 12 },
        )
        .map((parts) => parts.join(' ')),
    )
    const error = fc.oneof(
      words,
      words.map((message) => new Error(message)),
      words.map((message) => openAiError({ message })),
      words.map((message) => openAiError({ message: JSON.stringify({ error: { message } }) })),
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withNullPrototype: true,
        withSparseArray: true,
      }),
    )
    fc.assert(
      fc.property(error, (value) => {
        expect(classifyError(value, { status: 400 })).toBeNull()
      }),
      { seed: 11, numRuns: 2_000 },
    )
  })

  it('says the same wherever a request is repeated in it (seed 12)', () => {
    const echo = fc.dictionary(
      fc.constantFrom(
        'request',
        'body',
        'input',
        'messages',
        'contents',
        'config',
        'param',
        'value',
        'params',
      ),
      fc.oneof(fc.constant(lengthSentence), fc.jsonValue(), fc.constant({ message: lengthSentence })),
    )
    fc.assert(
      fc.property(echo, echo, (around, inside) => {
        expect(classifyError({ ...around, error: { message: 'No.', ...inside } }, { status: 400 })).toBeNull()
      }),
      { seed: 12, numRuns: 300 },
    )
  })
})
