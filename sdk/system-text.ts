import { isObject } from './engine/json.ts'

/** The words of a system prompt, in whatever shape it came: a text, blocks of text, or messages of them. */
export function systemText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(systemText).filter(Boolean).join('\n')
  if (!isObject(value)) return ''
  return typeof value.text === 'string' ? value.text : systemText(value.content ?? value.parts)
}
