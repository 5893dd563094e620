import type { JsonValue } from '../../engine/json.ts'
import { claudeImageTokens, claudePdfTokens } from '../claude-media.ts'
import { claudeName } from '../claude-name.ts'
import { dataUrlBody } from '../data-url.ts'
import { geminiTokens } from '../gemini-media.ts'
import { audioTokens, fileTokens, imageRatesOf, imageTokens } from '../openai-media.ts'
import type { MediaTokens } from '../redact.ts'
import { type FileFacts, fileOf } from './files.ts'
import { optionsFor } from './parts.ts'

interface ReadFile {
  readonly kind: string
  /** Base64; null where it is somewhere else. */
  readonly data: string | null
  /** The resolution that OpenAI is asked for. */
  readonly detail: JsonValue | undefined
  readonly model: string | undefined
}

/** Tokens of the files of a message, by the rates of the model that will read them; the dearest where nobody knows. */
export function mediaTokensFor(model: string | undefined): MediaTokens {
  return (part) => {
    const file = fileOf(part)
    // Text is counted as what it is.
    if (file === null || file.source.type === 'text') return 0
    const { kind } = file
    const { imageDetail: detail } = optionsFor('openai', part)
    return tokensOf({ kind, data: base64Of(file), detail, model })
  }
}

function tokensOf(file: ReadFile): number {
  const { model = '' } = file
  if (claudeName(model) !== null) return claudeTokens(file)
  if (/gemini/.test(model)) return geminiFileTokens(file)
  if (/gpt-|(?:^|\/)o\d|codex/.test(model)) return openAiTokens(file)
  return Math.max(claudeTokens(file), geminiFileTokens(file), openAiTokens(file))
}

/** Claude hears nothing and sees nothing move. */
function claudeTokens(file: ReadFile): number {
  const { kind, data, model } = file
  if (kind === 'image') return claudeImageTokens(data, model)
  return isDocument(file) ? claudePdfTokens(data) : geminiFileTokens(file)
}

function openAiTokens(file: ReadFile): number {
  const { kind, data, detail, model } = file
  if (kind === 'image') return imageTokens(data, detail, imageRatesOf(model))
  if (kind === 'audio' && data !== null) return audioTokens(data)
  return isDocument(file) ? fileTokens(data ?? undefined) : geminiFileTokens(file)
}

/** Gemini alone takes every kind, so its rates serve where another family has none. */
function geminiFileTokens({ kind, data, model }: ReadFile): number {
  return geminiTokens({ type: `${kind}/`, data, asksForMost: false }, model)
}

function isDocument({ kind }: ReadFile): boolean {
  return kind !== 'audio' && kind !== 'video' && kind !== 'text'
}

/** Null for a file that is somewhere else. */
function base64Of({ source }: FileFacts): string | null {
  if (source.type === 'data') return source.data
  return source.type === 'url' ? dataUrlBody(source.url) : null
}
