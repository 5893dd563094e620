import { describe, expect, it } from 'vitest'
import { claudeName } from './claude-name.ts'
import { thinkingMode } from './claude-thinking.ts'

describe('claudeName', () => {
  it.each([
    ['claude-sonnet-4-5-20250929', 'sonnet', 4, 5],
    ['claude-3-7-sonnet-20250219', 'sonnet', 3, 7],
    ['claude-3-haiku-20240307', 'haiku', 3, 0],
    ['claude-opus-4-20250514', 'opus', 4, 0],
    ['claude-sonnet-5', 'sonnet', 5, 0],
    ['claude-haiku-5-5', 'haiku', 5, 5],
    ['anthropic/claude-opus-4.6', 'opus', 4, 6],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'sonnet', 4, 0],
    ['claude-opus-4-5@20251101', 'opus', 4, 5],
    ['claude-fable-5-1-latest', 'fable', 5, 1],
  ])('reads %s', (model, family, major, minor) => {
    expect(claudeName(model)).toEqual({ family, major, minor })
  })

  it.each(['gpt-5.2', 'claude', 'claude-instant', 'claude-2.1', '', undefined])(
    'does not know %s',
    (model) => {
      expect(claudeName(model)).toBeNull()
    },
  )
})

describe('thinkingMode', () => {
  it.each([
    ['claude-3-7-sonnet-20250219', 'manual'],
    ['claude-sonnet-4-6', 'manual'],
    ['claude-opus-4-8', 'manual'],
    ['claude-haiku-4-5', 'manual'],
    ['claude-sonnet-5', 'preserved'],
    ['claude-opus-5-5', 'preserved'],
    ['claude-fable-5-1', 'preserved'],
    ['claude-mythos-5-2', 'preserved'],
    ['claude-fable-4-9', 'preserved'],
    ['someone-elses-model', 'preserved'],
    [undefined, 'preserved'],
  ])('takes the thinking of %s for %s', (model, mode) => {
    expect(thinkingMode(model)).toBe(mode)
  })
})
