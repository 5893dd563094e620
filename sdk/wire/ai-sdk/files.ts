import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'

/** Where the content of a file is. */
export type FileSource =
  /** Base64. */
  | { readonly type: 'data'; readonly data: string }
  | { readonly type: 'url'; readonly url: string }
  /** The provider has it, under a name of its own. */
  | { readonly type: 'reference'; readonly reference: JsonValue }
  | { readonly type: 'text'; readonly text: string }

export interface FileFacts {
  /** `image`, `audio`, `video`, `text`, or any other first segment of its media type; '' where none is given. */
  readonly kind: string
  readonly mediaType: string
  readonly source: FileSource
}

/** What a part says of a file, in whichever version of the specification; null for a part that is no file. */
export function fileOf(part: JsonObject): FileFacts | null {
  const source = sourceOf(part)
  if (source === null) return null
  const isImage = typeof part.type === 'string' && part.type.startsWith('image-')
  const mediaType = typeof part.mediaType === 'string' ? part.mediaType : isImage ? 'image' : ''
  return { kind: mediaType.split('/', 1)[0] ?? '', mediaType, source }
}

/** Base64 has no colon; a link has one behind its scheme. */
export function isLink(data: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(data)
}

function sourceOf(part: JsonObject): FileSource | null {
  switch (part.type) {
    case 'file':
    case 'reasoning-file':
      return isObject(part.data) ? taggedSource(part.data) : plainSource(part.data)
    case 'file-data':
    case 'image-data':
    case 'media':
      return plainSource(part.data)
    case 'file-url':
    case 'image-url':
      return plainSource(part.url)
    case 'file-id':
    case 'image-file-id':
      return part.fileId === undefined ? null : { type: 'reference', reference: part.fileId }
    default:
      return null
  }
}

function plainSource(data: JsonValue | undefined): FileSource | null {
  if (typeof data !== 'string') return null
  return isLink(data) ? { type: 'url', url: data } : { type: 'data', data }
}

function taggedSource(tagged: JsonObject): FileSource | null {
  const { type, data, url, text, reference } = tagged
  if (type === 'data' && typeof data === 'string') return { type, data }
  if (type === 'url' && typeof url === 'string') return { type, url }
  if (type === 'text' && typeof text === 'string') return { type, text }
  return type === 'reference' && reference !== undefined ? { type, reference } : null
}
