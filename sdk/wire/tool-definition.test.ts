import { describe, expect, it } from 'vitest'
import { toolDefinition } from './tool-definition.ts'

const tool = { name: 'context', description: 'Reads.', parameters: { type: 'object', properties: {} } }

describe('toolDefinition', () => {
  it.each([
    ['openai-chat', { type: 'function', function: tool }],
    ['openai-responses', { type: 'function', ...tool, strict: false }],
    ['anthropic', { name: 'context', description: 'Reads.', input_schema: tool.parameters }],
    ['gemini', { functionDeclarations: [tool] }],
    ['ai-sdk', { type: 'function', name: 'context', description: 'Reads.', inputSchema: tool.parameters }],
  ] as const)('has the shape of a tool of %s', (format, expected) => {
    expect(toolDefinition(format, tool)).toStrictEqual(expected)
  })

  it('knows no other format', () => {
    expect(toolDefinition('html' as never, tool)).toBeNull()
  })
})
