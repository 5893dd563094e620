import type { Format } from './engine/format.ts'

/** Formats that are spoken over HTTP. */
export type HttpFormat = Exclude<Format, 'ai-sdk'>

/** Where a chat request goes. */
export interface ChatEndpoint {
  readonly format: HttpFormat
  /** As the app wrote it. */
  readonly url: string
  /** Model that stands in the address; the body may name another. */
  readonly model?: string
}

const paths: readonly (readonly [RegExp, HttpFormat])[] = [
  // Azure names the model by its deployment.
  [/(?:\/deployments\/([^/]+))?\/chat\/completions$/, 'openai-chat'],
  [/\/responses$/, 'openai-responses'],
  // Other APIs have messages too, and none of them here.
  [/\/(?:v\d+|anthropic)\/messages$/, 'anthropic'],
  [/\/([^/:]+):(?:g|streamG)enerateContent$/, 'gemini'],
]

/** Gemini's interactions: chats whose history the provider holds, in a format that is none of those here. */
const unknownChat = /\/v1(?:alpha|beta)?\/interactions$/

/** Where a chat request may be, told from its method and address alone; null for any other request. */
export function chatEndpoint(input: RequestInfo | URL, init: RequestInit | undefined): ChatEndpoint | null {
  const url = postAddress(input, init)
  if (url === null) return null
  const path = pathOf(url)
  for (const [pattern, format] of paths) {
    const found = pattern.exec(path)
    if (found === null) continue
    const [, model] = found
    return { format, url, ...(model === undefined ? {} : { model }) }
  }
  return null
}

/** Whether a request is a chat's, of a kind that dogear does not know and so cannot measure (R42). */
export function isUnknownChat(input: RequestInfo | URL, init: RequestInit | undefined): boolean {
  const url = postAddress(input, init)
  return url !== null && unknownChat.test(pathOf(url))
}

/** As the app wrote it; null for a request that posts nothing. */
function postAddress(input: RequestInfo | URL, init: RequestInit | undefined): string | null {
  const request = isRequest(input) ? input : null
  const method = init?.method ?? request?.method ?? 'GET'
  if (typeof method !== 'string' || method.toUpperCase() !== 'POST') return null
  return request ? request.url : String(input)
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/$/, '')
}

/** The address at which a whole answer can be had, of the same model or of another one that is named. */
export function wholeAnswerUrl({ format, url }: ChatEndpoint, model?: string): string {
  const named = (before: string, name: string): string =>
    before + (model === undefined ? name : encodeURIComponent(model))
  if (format !== 'gemini')
    return url.replace(/(\/deployments\/)([^/]+)/, (_, before, name) => named(before, name))
  return url
    .replace(
      /(\/)([^/:?#]+):(?:g|streamG)enerateContent/,
      (_, before, name) => `${named(before, name)}:generateContent`,
    )
    .replace(/([?&])alt=[^&#]*&?/, '$1')
    .replace(/[?&]$/, '')
}

/** Also one of another page or package. */
export function isRequest(input: RequestInfo | URL): input is Request {
  return typeof input === 'object' && 'clone' in input
}
