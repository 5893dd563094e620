import type { WireFormat } from '../../engine/format.ts'
import { chatDialect } from '../chat-dialect.ts'
import { readValue } from '../segments.ts'
import { clearResult, replaceBodies, resultBodies } from './bodies.ts'
import { readMessage } from './entries.ts'
import { cacheMarks } from './marks.ts'
import { mediaTokensFor } from './media.ts'
import { readRequest } from './read.ts'
import { responseId } from './response-id.ts'
import { lint } from './rules.ts'
import { readEvent } from './stream.ts'
import { readAnswer, summaryRequest } from './summary.ts'
import { withoutReasoning } from './unbound.ts'
import { readUsage } from './usage.ts'
import { compose, write } from './write.ts'

/** Anthropic's Messages. */
export const anthropic: WireFormat = {
  format: 'anthropic',
  recognises: (request) => chatDialect(request) === 'anthropic',
  read: readRequest,
  readMessage,
  readValue: (snapshot, options) => readValue(snapshot, mediaTokensFor(options?.model)),
  resultBodies,
  replaceBodies,
  clearResult,
  compose,
  write,
  maxRequestBytes: 32_000_000,
  responseId,
  cacheMarks,
  readUsage,
  readEvent,
  summaryRequest,
  readAnswer,
  withoutReasoning,
  lint,
}
