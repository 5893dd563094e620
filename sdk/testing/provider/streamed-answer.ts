import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import type { Spoken } from './ask-provider.ts'
import { objectsOf, textOf } from './json-reading.ts'

/** The data of the events of a stream, each parsed. */
export function eventsIn(stream: string): readonly JsonObject[] {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as JsonObject)
}

/** The whole response that the events of a stream come to, as a client puts it together. */
export const wholeFrom: Readonly<Record<Spoken, (events: readonly JsonObject[]) => JsonObject>> = {
  'openai-chat': chatFrom,
  'openai-responses': responseFrom,
  anthropic: messageFrom,
  gemini: contentFrom,
}

function chatFrom(events: readonly JsonObject[]): JsonObject {
  const choices = events.flatMap(({ choices }) => objectsOf(choices))
  const deltas = choices.map(({ delta }) => objectIn(delta))
  const text = deltas.map(({ content }) => textOf(content)).join('')
  const pieces = deltas.flatMap(({ tool_calls: calls }) => objectsOf(calls))
  const calls = pieces
    .filter(({ id }) => id !== undefined)
    .map(({ index, ...call }): JsonObject => {
      const written = pieces.filter((piece) => piece.index === index).map((piece) => objectIn(piece.function))
      const args = written.map(({ arguments: piece }) => textOf(piece)).join('')
      return { ...call, function: { ...objectIn(call.function), arguments: args } }
    })
  const { choices: _, ...envelope } = events.at(-1) ?? {}
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
  const end = choices.at(-1)?.finish_reason ?? null
  return {
    ...envelope,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: end }],
  }
}

/** The last event has all of it; what was told in pieces before must come to the same. */
function responseFrom(events: readonly JsonObject[]): JsonObject {
  const output = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
  const texts = events.filter(({ type }) => type === 'response.output_text.delta')
  const said = output.flatMap((item) => objectsOf(objectIn(item).content)).map(({ text }) => textOf(text))
  const args = events.filter(({ type }) => type === 'response.function_call_arguments.delta')
  const called = output.map((item) => textOf(objectIn(item).arguments))
  const inPieces = [texts, args].map((deltas) => deltas.map(({ delta }) => textOf(delta)).join(''))
  if (inPieces.join('|') !== [said, called].map((all) => all.join('')).join('|'))
    throw new TypeError('the pieces of a response come to something else than its items')
  return { ...objectIn(events.at(-1)?.response), output: output as readonly JsonValue[] }
}

function messageFrom(events: readonly JsonObject[]): JsonObject {
  const message = objectIn(events.find(({ type }) => type === 'message_start')?.message)
  const end = events.find(({ type }) => type === 'message_delta') ?? {}
  const starts = events.filter(({ type }) => type === 'content_block_start')
  const content = starts.map(({ index, content_block: block }): JsonObject => {
    const deltas = events
      .filter((event) => event.type === 'content_block_delta' && event.index === index)
      .map(({ delta }) => objectIn(delta))
    const joined = (key: string): string => deltas.map((delta) => textOf(delta[key])).join('')
    const { type } = objectIn(block)
    if (type === 'text') return { ...objectIn(block), text: joined('text') }
    if (type === 'thinking')
      return { ...objectIn(block), thinking: joined('thinking'), signature: joined('signature') }
    return { ...objectIn(block), input: JSON.parse(joined('partial_json')) as JsonValue }
  })
  return { ...message, content, ...objectIn(end.delta), usage: end.usage ?? null }
}

function contentFrom(events: readonly JsonObject[]): JsonObject {
  const last = events.at(-1) ?? {}
  const parts: JsonObject[] = []
  for (const { candidates } of events)
    for (const { content } of objectsOf(candidates))
      for (const part of objectsOf(objectIn(content).parts)) {
        const before = parts.at(-1)
        const goesOn = typeof part.text === 'string' && typeof before?.text === 'string'
        if (part.text === '') continue
        if (goesOn && before.thought === part.thought)
          parts[parts.length - 1] = { ...before, text: textOf(before.text) + textOf(part.text) }
        else parts.push(part)
      }
  const candidates = objectsOf(last.candidates).map((candidate) => ({
    ...candidate,
    content: { role: 'model', parts },
  }))
  return { ...last, candidates }
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {}
}
