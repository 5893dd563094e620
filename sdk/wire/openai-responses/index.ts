import type { WireFormat } from '../../engine/format.ts'
import { isResponsesBody } from '../responses-body.ts'
import { readValue } from '../segments.ts'
import { clearResult, replaceBodies, resultBodies } from './bodies.ts'
import { readMessage } from './entries.ts'
import { mediaTokensFor } from './media.ts'
import { readRequest } from './read.ts'
import { responseId } from './response-id.ts'
import { lint } from './rules.ts'
import { beginsAnswer, readEvent } from './stream.ts'
import { readAnswer, summaryRequest } from './summary.ts'
import { readUsage } from './usage.ts'
import { compose, write } from './write.ts'

/** OpenAI's Responses, and the servers that speak it. */
export const openAiResponses: WireFormat = {
  format: 'openai-responses',
  recognises: isResponsesBody,
  read: readRequest,
  readMessage,
  readValue: (snapshot, options) => readValue(snapshot, mediaTokensFor(options?.model)),
  resultBodies,
  replaceBodies,
  clearResult,
  compose,
  write,
  responseId,
  readUsage,
  readEvent,
  beginsAnswer,
  summaryRequest,
  readAnswer,
  lint,
}
