import { afterEach, describe, expect, it, vi } from 'vitest'
import { DogearError } from './errors.ts'
import { isAborted, notRepaired, overflowOf, rejectionOf } from './overflow.ts'

describe('what the error of a request says of its length', () => {
  it('[R322] is nothing where there is none, or where it says something else', async () => {
    expect(await overflowOf({ aborted: true }, undefined)).toBeNull()
    expect(await overflowOf({ usage: null }, undefined)).toBeNull()
    expect(await overflowOf({ error: undefined, status: 413 }, undefined)).toBeNull()
    expect(await overflowOf({ error: new Error('connection lost') }, undefined)).toBeNull()
  })

  it('[R321, R322] is read with the status of the response, and named after who sent it', async () => {
    expect(await overflowOf({ error: '', status: 413 }, undefined)).toMatchObject({ kind: 'request-bytes' })
    expect(await overflowOf({ error: '' }, undefined)).toBeNull()
    expect(await overflowOf({ error: '', status: 400 }, undefined)).toBeNull()
    expect(await overflowOf({ error: '', status: 400 }, 'cerebras')).toMatchObject({
      kind: 'context',
      provider: 'cerebras',
    })
  })
})

describe('the table of errors', () => {
  afterEach(() => {
    vi.doUnmock('./classify-error.ts')
    vi.resetModules()
  })

  it('says nothing where it cannot be loaded, so that the error of the provider stands', async () => {
    const error = { error: { code: 'context_length_exceeded', message: 'x' } }
    expect(await overflowOf({ error, status: 400 }, undefined)).toMatchObject({ kind: 'context' })
    vi.resetModules()
    vi.doMock('./classify-error.ts', () => {
      throw new Error('offline')
    })
    const unloaded = await import('./overflow.ts')
    expect(await unloaded.overflowOf({ error, status: 400 }, undefined)).toBeNull()
  })
})

describe('what is asked of a repair', () => {
  const evidence = 'code:context_length_exceeded'

  it('[R321, R327] is the limit that the error names, and what it says the request came to', () => {
    expect(rejectionOf({ kind: 'context', limit: 1000, got: 1200, evidence })).toEqual({
      trigger: 'overflow',
      limit: 1000,
      reported: 1200,
    })
    expect(rejectionOf({ kind: 'context', evidence })).toEqual({
      trigger: 'overflow',
      limit: null,
      reported: null,
    })
  })

  it('[R326] is what the output leaves of the limit, only where the limit is for both', () => {
    const both = { kind: 'context-and-output', limit: 1000, got: 900, output: 400, evidence } as const
    expect(rejectionOf(both)).toEqual({ trigger: 'overflow', limit: 600, reported: 900 })
    expect(rejectionOf({ ...both, kind: 'context' })).toMatchObject({ limit: 1000 })
    expect(rejectionOf({ kind: 'context-and-output', limit: 1000, evidence })).toMatchObject({ limit: 1000 })
    expect(rejectionOf({ ...both, output: 999 })).toMatchObject({ limit: 1 })
  })

  it('[R329] is nothing where less history could not help', () => {
    expect(rejectionOf({ kind: 'context-and-output', limit: 1000, output: 1000, evidence })).toBeNull()
    expect(rejectionOf({ kind: 'context-and-output', limit: 1000, output: 2000, evidence })).toBeNull()
    expect(rejectionOf({ kind: 'context', limit: 0, evidence })).toBeNull()
    expect(rejectionOf({ kind: 'request-bytes', limit: 1000, got: 2000, evidence })).toBeNull()
  })
})

describe('a repair that failed', () => {
  it('is told with what the product says of it, and with no word of any other error', () => {
    const own = new DogearError({ code: 'invalid_request', message: 'messages must be a list' })
    expect(notRepaired(own)).toMatchObject({
      code: 'repair_failed',
      message: expect.stringContaining('invalid_request: messages must be a list'),
    })
    const { code, message } = notRepaired(new Error('secret words'))
    expect(code).toBe('repair_failed')
    expect(message).not.toContain('secret')
  })

  it('is no failure where it was the app that gave up', () => {
    expect(isAborted(new DogearError({ code: 'aborted', message: 'x' }))).toBe(true)
    expect(isAborted(new DogearError({ code: 'invalid_request', message: 'x' }))).toBe(false)
    expect(isAborted(new DOMException('x', 'AbortError'))).toBe(false)
  })
})
