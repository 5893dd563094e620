import { Base64Bytes } from '../../engine/base64-bytes.ts'
import type { JsonValue } from '../../engine/json.ts'
import { claudeImageTokens, claudePdfTokens } from '../claude-media.ts'
import { claudeName } from '../claude-name.ts'
import { dataUrlBody } from '../data-url.ts'
import { audioTokens, fileTokens, imageRatesOf, imageTokens } from '../openai-media.ts'
import type { MediaTokens } from '../redact.ts'
import { type FileFacts, fileOf } from './files.ts'
import { optionsFor } from './parts.ts'

/** Fewer bytes than this make no token of any text that is worth a file. */
const textBytesPerToken = 3

/** A recording that is somewhere else is taken for a minute of speech, at the most that is charged for a second. */
const unknownAudioTokens = 60 * 32

/** Tokens of the files of a message, by the rates of the model that will read them; the dearest where nobody knows. */
export function mediaTokensFor(model: string | undefined): MediaTokens {
  return (part) => {
    const file = fileOf(part)
    if (file === null || file.source.type === 'text') return 0
    return tokensOf(file, { model, detail: optionsFor('openai', part).imageDetail })
  }
}

interface Reader {
  readonly model: string | undefined
  /** The resolution that was asked for. */
  readonly detail: JsonValue | undefined
}

function tokensOf(file: FileFacts, { model, detail }: Reader): number {
  const data = base64Of(file)
  const isClaude = claudeName(model) !== null
  const isOpenAi = /gpt-|(?:^|\/)o\d|codex/.test(model ?? '')
  const dearest = (claude: number, openAi: number): number =>
    isClaude ? claude : isOpenAi ? openAi : Math.max(claude, openAi)
  switch (file.kind) {
    case 'image':
      return dearest(claudeImageTokens(data, model), imageTokens(data, detail, imageRatesOf(model)))
    case 'audio':
    case 'video':
      return data === null ? unknownAudioTokens : audioTokens(data)
    case 'text':
      return data === null ? 0 : Math.ceil(new Base64Bytes(data).length / textBytesPerToken)
    default:
      return dearest(claudePdfTokens(data), fileTokens(data ?? undefined))
  }
}

/** Null for a file that is somewhere else. */
function base64Of({ source }: FileFacts): string | null {
  if (source.type === 'data') return source.data
  return source.type === 'url' ? dataUrlBody(source.url) : null
}
