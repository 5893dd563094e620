import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'
import { listedJson } from './contract.ts'
import { listRequest, roundsOf, withoutEntries } from './contract-lists.ts'
import { detectFormat } from './detect.ts'

const corpus = join(process.env.DOGEAR_SHARED ?? '', 'data', 'corpus')

const folders = [
  ['openai-chat', 'openai-chat'],
  ['openai-chat-legacy-functions', 'openai-chat'],
  ['anthropic-messages', 'anthropic'],
  ['openai-responses', 'openai-responses'],
  ['gemini-contents', 'gemini'],
  ['ai-sdk-model', 'ai-sdk'],
] as const

function transcripts(folder: string): readonly (readonly [file: string, request: JsonObject])[] {
  return readdirSync(join(corpus, folder)).flatMap((file) => {
    const recorded: unknown = JSON.parse(readFileSync(join(corpus, folder, file), 'utf8'))
    // Of the AI SDK the lists alone are recorded.
    const request: unknown = folder === 'ai-sdk-model' ? { prompt: recorded } : recorded
    return isObject(request) ? [[file, request] as const] : []
  })
}

/** Where a tool's own JSON stands, which is text whatever it looks like. */
const ownJson: ReadonlySet<string> = new Set(['input', 'args', 'response'])

/** Opaque strings by where real requests hold them, told apart from the product's own way to find them. */
function opaqueStrings(value: JsonValue | undefined, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const item of value) opaqueStrings(item, found)
  if (!isObject(value)) return found
  const { signature, thoughtSignature, encrypted_content, encrypted_index, source, image_url } = value
  for (const text of [signature, thoughtSignature, encrypted_content, encrypted_index])
    if (typeof text === 'string') found.add(text)
  if (isObject(source) && source.type === 'base64' && typeof source.data === 'string') found.add(source.data)
  if (isObject(image_url) && typeof image_url.url === 'string' && image_url.url.startsWith('data:'))
    found.add(image_url.url)
  if (isObject(value.inlineData) && typeof value.inlineData.data === 'string')
    found.add(value.inlineData.data)
  for (const [key, item] of Object.entries(value)) if (!ownJson.has(key)) opaqueStrings(item, found)
  return found
}

describe.each(folders)('%s', (folder, name) => {
  it.each(transcripts(folder))('%s is read whole and written back as it came', (_file, request) => {
    const format = detectFormat(request)
    expect(format?.format).toBe(name)
    if (format === null) return
    const list = listRequest(format, request)
    // Inside a message an `input` is what a tool is called with.
    const opaque = opaqueStrings([request, request.input ?? null])
    for (const message of [...list.read.leading, ...list.read.messages]) {
      const text = format.readMessage(message).segments.map((segment) => segment.text)
      expect(text.join('')).toBe(listedJson(message, (value) => opaque.has(value)))
    }
    const { messages, warnings } = format.compose(list.items, { model: list.read.model, changedFrom: null })
    expect(warnings).toEqual([])
    for (const [position, message] of messages.entries())
      expect(message.native).toBe(list.read.messages[position])
    const written = format.write(
      request,
      list.read,
      messages.map((message) => message.native),
    )
    expect(JSON.stringify(written)).toBe(JSON.stringify(request))
  })

  it.each(transcripts(folder))('%s gets no new fault by the loss of its older rounds', (_file, request) => {
    const format = detectFormat(request)
    if (format === null) return
    const list = listRequest(format, request)
    const known = new Set(format.lint(request).map((fault) => fault.rule))
    const rounds = roundsOf(list)
    for (const count of [1, Math.ceil(rounds.length / 2), rounds.length - 1]) {
      const gone = new Set(rounds.slice(0, count))
      const indexes = list.entries.filter(({ round }) => gone.has(round)).map(({ index }) => index)
      const { items, changedFrom } = withoutEntries(list, new Set(indexes), 'folded')
      const { messages } = format.compose(items, { model: list.read.model, changedFrom })
      const natives = messages.map((message) => message.native)
      const faults = format.lint(format.write(request, list.read, natives))
      expect(faults.map((fault) => fault.rule).filter((rule) => !known.has(rule))).toEqual([])
    }
  })
})
