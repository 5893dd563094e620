import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Format } from './engine/format.ts'
import { readUsage } from './read-usage.ts'

const responses: Readonly<Record<Format, unknown>> = {
  'openai-chat': { choices: [], usage: { prompt_tokens: 900, completion_tokens: 5 } },
  'openai-responses': { object: 'response', output: [], usage: { input_tokens: 900, output_tokens: 5 } },
  anthropic: {
    type: 'message',
    content: [],
    usage: { input_tokens: 100, cache_read_input_tokens: 800, output_tokens: 5 },
  },
  gemini: { candidates: [], usageMetadata: { promptTokenCount: 900, candidatesTokenCount: 5 } },
  'ai-sdk': { content: [], usage: { inputTokens: { total: 900 }, outputTokens: { total: 5 } } },
}
const formats = Object.keys(responses) as Format[]

describe('readUsage', () => {
  it.each(formats)('[R32, R38] reads what a response of %s reports', (format) => {
    const response = responses[format]
    expect(readUsage(format, response)).toMatchObject({ input: 900, output: 5, isTotal: false })
    expect(readUsage(format, JSON.stringify(response))).toEqual(readUsage(format, response))
  })

  it.each(formats)('[R38] tells the shape of %s from those of the others', (format) => {
    const { raw } = readUsage(format, responses[format]) ?? {}
    expect(responses[format]).toMatchObject(format === 'gemini' ? { usageMetadata: raw } : { usage: raw })
    expect(readUsage(format, { error: { message: 'no' } })).toBeNull()
  })

  it('says nothing of a format that is none', () => {
    expect(readUsage('morse' as Format, responses.anthropic)).toBeNull()
  })

  it('never throws and never reports a figure that is none (seed 13)', () => {
    const keys = fc.constantFrom(
      ...['usage', 'usageMetadata', 'message', 'response', 'metadata', 'interaction', 'tokens', 'iterations'],
      ...[
        'input_tokens',
        'inputTokens',
        'prompt_tokens',
        'promptTokenCount',
        'output_tokens',
        'timings',
        'total',
      ],
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, -1, 0, 7, 1e15, Number.NaN, 2.5, '7', true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(value, fc.constantFrom(...formats), (response, format) => {
        const { input, output, cacheRead, cacheWrite } = readUsage(format, response) ?? {}
        for (const count of [input, output, cacheRead, cacheWrite])
          expect(count === undefined || (Number.isInteger(count) && count >= 0)).toBe(true)
      }),
      { seed: 13, numRuns: 1_000 },
    )
  })
})
