import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'

export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

export function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0
}

/** The texts of content that is a text or a list of blocks. */
export function contentText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map(({ text }) => textOf(text))
    .filter((text) => text !== '')
    .join('\n')
}

export function parsedObject(text: JsonValue | undefined): JsonObject {
  try {
    const value: unknown = JSON.parse(textOf(text))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

export function sse(data: JsonObject, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** A text in pieces, as models write. */
export function inPieces(text: string): readonly string[] {
  return text === '' ? [] : (text.match(/.{1,24}/gsu) ?? [])
}
