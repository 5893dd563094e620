import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { lint } from './rules.ts'

const go: JsonObject = { role: 'user', parts: [{ text: 'go' }] }
const yes: JsonObject = { role: 'model', parts: [{ text: 'yes' }] }
const call = (thoughtSignature?: string): JsonObject => ({
  role: 'model',
  parts: [
    { functionCall: { name: 'look' }, ...(thoughtSignature === undefined ? {} : { thoughtSignature }) },
  ],
})
const result: JsonObject = { role: 'user', parts: [{ functionResponse: { name: 'look', response: {} } }] }

function rulesOf(contents: readonly JsonObject[], rest: JsonObject = {}): readonly string[] {
  return lint({ contents, ...rest }).map(({ rule }) => rule)
}

describe('what Gemini takes', () => {
  it.each([
    ['two contents of the user', [go, go, call(), result, go]],
    ['two contents of the model without calls', [go, yes, yes]],
    ['results by the role of old', [go, call(), { ...result, role: 'function' }, yes]],
    [
      'results and what is said beside them',
      [go, call(), { ...result, parts: [result.parts, go.parts].flat() }],
    ],
    ['a step right after another one', [go, call(), result, call(), result]],
  ] as const)('%s', (_what, contents) => {
    expect(rulesOf(contents as readonly JsonObject[])).toEqual([])
  })

  it('a list that goes on with what a cached content holds', () => {
    expect(rulesOf([result, yes], { cachedContent: 'cachedContents/a' })).toEqual([])
    expect(rulesOf([call(), result], { config: { cachedContent: 'cachedContents/a' } })).toEqual([])
    expect(rulesOf([result, yes])).toEqual(['result_without_call'])
  })
})

describe('signatures', () => {
  const third = { model: 'gemini-3-pro-preview' }

  it('are asked for in the current turn, and not in those before it', () => {
    expect(rulesOf([go, call(), result, go, call('c2ln'), result], third)).toEqual([])
    expect(rulesOf([go, call('c2ln'), result, call(), result], third)).toEqual(['missing_signature'])
    expect(rulesOf([go, call('c2ln'), result, call(''), result], third)).toEqual(['missing_signature'])
  })

  it.each([['gemini-2.5-pro'], ['gemini-flash-latest'], [undefined]])('are not asked for by %s', (model) => {
    expect(rulesOf([go, call(), result], model === undefined ? {} : { model })).toEqual([])
  })
})
