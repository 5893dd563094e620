import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../engine/json.ts'
import { aiSdk } from './ai-sdk/index.ts'
import { anthropic } from './anthropic/index.ts'
import { gemini } from './gemini/index.ts'
import { openAiChat } from './openai-chat/index.ts'
import { openAiResponses } from './openai-responses/index.ts'

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }

describe('clearing a result', () => {
  it('of a chat message leaves one text, whatever form the content had', () => {
    const message = (content: JsonValue) => ({ role: 'tool', tool_call_id: 'c', content })
    for (const content of ['long', '{"a":1}', [{ type: 'text', text: 'long' }]])
      expect(openAiChat.clearResult(message(content), 0, 'gone')).toEqual(message('gone'))
    expect(openAiChat.clearResult(message('long'), 1, 'gone')).toBeNull()
    expect(openAiChat.clearResult({ role: 'user', content: 'long' }, 0, 'gone')).toBeNull()
  })

  it('of a Responses item leaves one text, and none where the output takes none', () => {
    const item = (type: string, output: JsonValue) => ({ type, call_id: 'c', output })
    const picture = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }
    for (const output of ['long', [{ type: 'input_text', text: 'long' }, picture]])
      for (const type of ['function_call_output', 'custom_tool_call_output'])
        expect(openAiResponses.clearResult(item(type, output), 0, 'gone')).toEqual(item(type, 'gone'))
    const screen = { type: 'computer_screenshot', image_url: 'data:image/png;base64,AAAA' }
    expect(openAiResponses.clearResult(item('computer_call_output', screen), 0, 'gone')).toBeNull()
    const shell = [{ stdout: 'long', stderr: '', outcome: { type: 'exit', exit_code: 0 } }]
    expect(openAiResponses.clearResult(item('shell_call_output', shell), 0, 'gone')).toBeNull()
  })

  it('of an Anthropic message touches that block alone, media and all', () => {
    const result = (id: string, content: JsonValue) => ({ type: 'tool_result', tool_use_id: id, content })
    const text = { type: 'text', text: 'long' }
    const said = { type: 'text', text: 'and now?' }
    const mark = { cache_control: { type: 'ephemeral' } }
    const message = (second: JsonObject) => ({ role: 'user', content: [result('a', 'first'), second, said] })
    const found = { type: 'search_result', source: 's', title: 't', content: [text] }
    for (const content of ['long', [text], [image], [text, image], [found]])
      expect(anthropic.clearResult(message({ ...result('b', content), ...mark }), 1, 'gone')).toEqual(
        message({ ...result('b', 'gone'), ...mark }),
      )
    expect(anthropic.clearResult(message(result('b', 'long')), 2, 'gone')).toBeNull()
    expect(anthropic.clearResult(message(result('b', [])), 1, 'gone')).toBeNull()
  })

  it('leaves a result that later messages rest on', () => {
    const content = [{ type: 'tool_reference', tool_name: 'get_weather' }]
    const message = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] }
    expect(anthropic.clearResult(message, 0, 'gone')).toBeNull()
  })

  it('of a Gemini part leaves an object with one output, and nothing beside it', () => {
    const part = (rest: JsonObject) => ({ functionResponse: { id: 'c', name: 'read', ...rest } })
    const other = part({ response: { result: 'other' } })
    const parts = [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }]
    const message = (second: JsonObject) => ({ role: 'user', parts: [other, second] })
    for (const rest of [{ response: { a: 'long', b: [1] } }, { response: { a: 'long' }, parts }])
      expect(gemini.clearResult(message(part(rest)), 1, 'gone')).toEqual(
        message(part({ response: { output: 'gone' } })),
      )
    expect(gemini.clearResult({ role: 'user', parts: [{ text: 'long' }] }, 0, 'gone')).toBeNull()
    const snake = (value: string) => ({
      role: 'user',
      parts: [{ function_response: { name: 'read', response: { output: value } } }],
    })
    expect(gemini.clearResult(snake('long'), 0, 'gone')).toEqual(snake('gone'))
  })

  it('of an AI SDK part leaves a text output, and the output of a call that failed as it is', () => {
    const message = (output: JsonObject) => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'read', output }],
    })
    const file = { type: 'media', mediaType: 'image/png', data: 'AAAA' }
    const gone = message({ type: 'text', value: 'gone' })
    for (const output of [
      { type: 'text', value: 'long' },
      { type: 'json', value: { a: 'long' } },
      { type: 'json', value: [1, 2] },
      { type: 'content', value: [{ type: 'text', text: 'long' }, file] },
    ])
      expect(aiSdk.clearResult(message(output), 0, 'gone')).toEqual(gone)
    for (const output of [
      { type: 'error-text', value: 'long' },
      { type: 'error-json', value: {} },
      { type: 'execution-denied', reason: 'no' },
      { type: 'content', value: [{ type: 'custom', providerOptions: {} }] },
    ])
      expect(aiSdk.clearResult(message(output), 0, 'gone')).toBeNull()
  })
})
