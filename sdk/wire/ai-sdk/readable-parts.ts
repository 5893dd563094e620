import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { fileOf } from './files.ts'

/**
 * Parts as blocks that every format knows how to read: a file by its kind, one that holds text as a document of
 * it, and nothing of what providers are told beside. Each part stays in its place.
 */
export function readableParts(parts: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(parts) ? parts.map(readablePart) : parts
}

const knownKinds: ReadonlySet<string> = new Set(['image', 'audio', 'video'])

function readablePart(part: JsonValue): JsonValue {
  if (!isObject(part) || part.type === 'reasoning-file') return part
  const file = fileOf(part)
  if (file === null) return withoutOptions(part)
  if (file.source.type === 'text')
    return { type: 'document', source: { type: 'text', data: file.source.text } }
  return { type: knownKinds.has(file.kind) ? file.kind : 'document' }
}

/** Parts as they are compared: a file by what it is, in whichever version of the specification it came. */
export function comparableParts(parts: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(parts) ? parts.map(comparablePart) : parts
}

function comparablePart(part: JsonValue): JsonValue {
  if (!isObject(part) || part.type === 'reasoning-file') return part
  const file = fileOf(part)
  if (file === null) return part
  const { mediaType, source } = file
  return {
    type: 'file',
    mediaType,
    ...('filename' in part ? { filename: part.filename } : {}),
    source: { ...source },
  }
}

function withoutOptions({ providerOptions: _, ...part }: JsonObject): JsonObject {
  return part
}
