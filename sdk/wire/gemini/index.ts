import type { WireFormat } from '../../engine/format.ts'
import { isGeminiBody } from '../gemini-body.ts'
import { readValue } from '../segments.ts'
import { writeList } from '../write-list.ts'
import { clearResult, replaceBodies, resultBodies } from './bodies.ts'
import { readMessage } from './entries.ts'
import { mediaTokensFor } from './media.ts'
import { readRequest } from './read.ts'
import { lint } from './rules.ts'
import { readEvent } from './stream.ts'
import { readAnswer, summaryRequest } from './summary.ts'
import { readUsage } from './usage.ts'
import { compose } from './write.ts'

/** Gemini's generateContent, on the Developer API and on Vertex. */
export const gemini: WireFormat = {
  format: 'gemini',
  recognises: isGeminiBody,
  read: readRequest,
  readMessage,
  readValue: (snapshot, options) => readValue(snapshot, mediaTokensFor(options?.model)),
  resultBodies,
  replaceBodies,
  clearResult,
  compose,
  write: (request, read, messages) => writeList(request, { key: 'contents', read, messages }),
  readUsage,
  readEvent,
  summaryRequest,
  readAnswer,
  lint,
}
