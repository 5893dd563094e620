import type { WireFormat } from '../../engine/format.ts'
import { chatDialect } from '../chat-dialect.ts'
import { readValue } from '../segments.ts'
import { clearResult, replaceBodies, resultBodies } from './bodies.ts'
import { readMessage } from './entries.ts'
import { mediaTokensFor } from './media.ts'
import { readRequest } from './read.ts'
import { lint } from './rules.ts'
import { beginsAnswer, readEvent } from './stream.ts'
import { readAnswer, summaryRequest } from './summary.ts'
import { readUsage } from './usage.ts'
import { compose, write } from './write.ts'

/** OpenAI's Chat Completions, and the many servers that speak it. */
export const openAiChat: WireFormat = {
  format: 'openai-chat',
  recognises: (request) => chatDialect(request) === 'openai-chat',
  read: readRequest,
  readMessage,
  readValue: (snapshot, options) => readValue(snapshot, mediaTokensFor(options?.model)),
  resultBodies,
  replaceBodies,
  clearResult,
  compose,
  write,
  readUsage,
  readEvent,
  beginsAnswer,
  summaryRequest,
  readAnswer,
  lint,
}
