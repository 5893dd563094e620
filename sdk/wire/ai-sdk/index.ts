import type { WireFormat } from '../../engine/format.ts'
import { isAiSdkBody } from '../ai-sdk-body.ts'
import { readValue } from '../segments.ts'
import { clearResult, replaceBodies, resultBodies } from './bodies.ts'
import { readMessage } from './entries.ts'
import { cacheMarks } from './marks.ts'
import { mediaTokensFor } from './media.ts'
import { plainMessage } from './native-files.ts'
import { readRequest } from './read.ts'
import { responseId } from './response-id.ts'
import { lint } from './rules.ts'
import { readAnswer, summaryRequest } from './summary.ts'
import { readUsage } from './usage.ts'
import { compose, write } from './write.ts'

/** Call options of the AI SDK's language models, specification versions 3 and 4. */
export const aiSdk: WireFormat = {
  format: 'ai-sdk',
  recognises: isAiSdkBody,
  plain: plainMessage,
  read: readRequest,
  readMessage,
  readValue: (snapshot, options) => readValue(snapshot, mediaTokensFor(options?.model)),
  resultBodies,
  replaceBodies,
  clearResult,
  compose,
  write,
  responseId,
  summaryRequest,
  readAnswer,
  cacheMarks,
  readUsage,
  lint,
}
