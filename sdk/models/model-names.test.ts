import { describe, expect, it } from 'vitest'
import { modelNames, vendorName } from './model-names.ts'

describe('modelNames', () => {
  it.each([
    ['gpt-4o', ['gpt-4o']],
    ['Claude-Haiku-5.5', ['claude-haiku-5-5']],
    ['claude-haiku-5-5-20260901', ['claude-haiku-5-5-20260901', 'claude-haiku-5-5']],
    [
      'gemini-2.5-pro-preview-05-06',
      ['gemini-2-5-pro-preview-05-06', 'gemini-2-5-pro-preview', 'gemini-2-5-pro'],
    ],
    ['projects/p/locations/l/publishers/google/models/gemini-3-pro', ['gemini-3-pro']],
    ['accounts/fireworks/models/kimi-k3', ['kimi-k3']],
    ['claude-opus-4-7@20260401', ['claude-opus-4-7@20260401', 'claude-opus-4-7']],
    ['claude-opus-4-7@default', ['claude-opus-4-7@default', 'claude-opus-4-7']],
    ['openai/gpt-5.4:floor', ['openai/gpt-5-4:floor', 'openai/gpt-5-4', 'gpt-5-4:floor', 'gpt-5-4']],
    [
      'us.anthropic.claude-haiku-4-5-20251001-v1:0',
      [
        'us-anthropic-claude-haiku-4-5-20251001-v1:0',
        'us-anthropic-claude-haiku-4-5-20251001',
        'us-anthropic-claude-haiku-4-5',
        'claude-haiku-4-5-20251001-v1:0',
        'claude-haiku-4-5-20251001',
        'claude-haiku-4-5',
      ],
    ],
  ])('of %s', (model, names) => {
    expect(modelNames(model)).toEqual(names)
  })

  it.each(['gpt-5-mini', 'claude-sonnet-4-5', 'o4-mini-high', 'llama3.1-8b', 'gpt-4.1', 'qwen/qwen3:free'])(
    'keep what tells %s from another model',
    (model) => {
      const shortest = modelNames(model).at(-1) ?? ''
      expect(model.replaceAll('.', '-').endsWith(shortest)).toBe(true)
    },
  )
})

describe('vendorName', () => {
  it.each([
    ['openai/gpt-5.4', 'openai'],
    ['Anthropic/claude', 'anthropic'],
    ['eu.anthropic.claude-haiku-4-5-v1:0', 'anthropic'],
    ['amazon.nova-pro-v1:0', 'amazon'],
    ['gpt-5.4', undefined],
    ['models/gemini-2.5-pro', undefined],
    ['/gpt', undefined],
  ])('of %s is %s', (model, vendor) => {
    expect(vendorName(model)).toBe(vendor)
  })
})
