import { describe, expect, it } from 'vitest'
import { replaceBodies, resultBodies } from './bodies.ts'

const result = { type: 'function_call_output', call_id: 'a', output: 'long text' }

describe('the bodies of a result', () => {
  it('are its text, or the texts of its parts', () => {
    expect(resultBodies(result).get(0)).toHaveLength(1)
    const output = [
      { type: 'input_text', text: 'one' },
      { type: 'input_image', file_id: 'f' },
      { type: 'input_text', text: 'two' },
    ]
    expect(resultBodies({ ...result, output }).get(0)).toHaveLength(2)
    const replaced = replaceBodies({ ...result, output }, new Map([[0, new Map([[1, 't']])]]))
    expect(replaced).toEqual({ ...result, output: [output[0], output[1], { type: 'input_text', text: 't' }] })
  })

  it('are replaced in their own form', () => {
    expect(replaceBodies(result, new Map([[0, new Map([[0, 'short']])]]))).toEqual({
      ...result,
      output: 'short',
    })
    expect(replaceBodies(result, new Map())).toBe(result)
  })

  it('are none of a screenshot, of an answer, or of what the provider ran itself', () => {
    const screenshot = { type: 'computer_call_output', call_id: 'a', output: { type: 'computer_screenshot' } }
    expect(resultBodies(screenshot).get(0)).toEqual([])
    expect(resultBodies({ role: 'assistant', content: 'x' }).size).toBe(0)
    expect(
      resultBodies([
        { type: 'mcp_call', output: 'x' },
        { role: 'assistant', content: 'x' },
      ]).size,
    ).toBe(0)
  })
})
