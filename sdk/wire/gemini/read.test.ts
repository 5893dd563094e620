import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { isGeminiBody } from '../gemini-body.ts'
import { readRequest } from './read.ts'

const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const schema = { type: 'OBJECT', properties: { action: { type: 'STRING', enum: ['status', 'read_result'] } } }

function read(request: JsonObject) {
  const outcome = readRequest(request)
  if (outcome.type === 'fault') throw new Error(outcome.fault.path)
  return outcome.request
}

const fieldsOf = (request: JsonObject) =>
  read(request).fields.map((field) =>
    field.type === 'messages' ? field.key : [field.key, field.value, field.part],
  )

describe('readRequest', () => {
  it('[R27] counts the same, in the same order, wherever it is set', () => {
    const settings = { systemInstruction: { parts: [{ text: 's' }] }, tools: [{ codeExecution: {} }] }
    const expected = [
      ['systemInstruction', settings.systemInstruction, 'system'],
      'contents',
      ['tools', settings.tools, 'tools'],
      ['responseSchema', schema, 'other'],
    ]
    expect(
      fieldsOf({ contents, ...settings, generationConfig: { topK: 4, responseSchema: schema } }),
    ).toEqual(expected)
    expect(fieldsOf({ contents, config: { ...settings, topK: 4, responseSchema: schema } })).toEqual(expected)
    const { systemInstruction: system_instruction, tools } = settings
    const generation_config = { response_schema: schema }
    expect(fieldsOf({ contents, system_instruction, tools, generation_config })).toEqual(expected)
    expect(fieldsOf({ contents, config: { responseJsonSchema: schema } })).toEqual([
      'contents',
      ['responseJsonSchema', schema, 'other'],
    ])
    expect(fieldsOf({ contents, generationConfig: { topK: 4 }, toolConfig: {}, safetySettings: [] })).toEqual(
      ['contents'],
    )
  })

  it('finds the context tool in every declaration', () => {
    const functionDeclarations = [{ name: 'look' }, { name: 'context', parameters: schema }]
    const facts = [
      { name: 'look', readsResults: false },
      { name: 'context', readsResults: true },
    ]
    expect(read({ contents, tools: [{ googleSearch: {} }, { functionDeclarations }] }).tools).toEqual(facts)
    const function_declarations = [{ name: 'look' }, { name: 'context', parametersJsonSchema: schema }]
    expect(read({ contents, config: { tools: [{ function_declarations }] } }).tools).toEqual(facts)
    expect(read({ contents, tools: [null, { functionDeclarations: 4 }] as never }).tools).toEqual([])
  })

  it('[R42] names the cached content that the list comes on top of, and no list that is only what is new', () => {
    expect(read({ contents, cachedContent: 'cachedContents/a' }).heldPrefix).toBe('cachedContents/a')
    expect(read({ contents, config: { cachedContent: 'cachedContents/a' } }).heldPrefix).toBe(
      'cachedContents/a',
    )
    expect(read({ contents, cached_content: 'cachedContents/a' })).not.toHaveProperty('continues')
    expect(read({ contents })).not.toHaveProperty('heldPrefix')
  })

  it('knows a model where the request names one', () => {
    expect(read({ contents, model: 'gemini-3-pro-preview' }).model).toBe('gemini-3-pro-preview')
    expect(read({ contents }).model).toBeUndefined()
  })
})

describe('isGeminiBody', () => {
  it.each([
    ['turns', { contents }],
    ['a turn without a role', { contents: [{ parts: [{ text: 'x' }] }] }],
    ['an answer that was cut short', { contents: [...contents, { role: 'model' }] }],
    ['the parameters of the SDK', { model: 'gemini-2.5-pro', contents, config: {} }],
  ])('knows %s', (_what, request) => {
    expect(isGeminiBody(request)).toBe(true)
  })

  it.each([
    ['an empty list', { contents: [] }],
    ['a text', { contents: 'hi' }],
    ['texts', { contents: ['hi'] }],
    ['turns of another provider', { contents: [{ role: 'user', content: 'hi' }] }],
    ['parts that are no list', { contents: [{ role: 'model', parts: 'hi' }] }],
    ['parts without a turn', { contents: [{ text: 'hi' }] }],
    ['another list beside it', { contents, messages: [] }],
    ['an input beside it', { contents, input: 'x' }],
  ])('does not know %s', (_what, request) => {
    expect(isGeminiBody(request)).toBe(false)
  })
})
