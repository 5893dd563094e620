import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from '../engine/json.ts'
import { parseTranscript, type Transcript } from './transcript.ts'

const corpus = join(process.env.DOGEAR_SHARED ?? '', 'data/corpus')

const formats = [
  ['openai-chat', 'openai-chat'],
  ['anthropic-messages', 'anthropic'],
  ['claude-code-jsonl', 'anthropic'],
] as const

describe('recorded transcripts', () => {
  for (const [folder, format] of formats) {
    it.each(readdirSync(join(corpus, folder)))(`reads ${folder}/%s`, (file) => {
      const text = readFileSync(join(corpus, folder, file), 'utf8')
      const transcript = parseTranscript(text)
      expect(transcript.format).toBe(format)
      expectRounds(transcript)
      if (folder === 'claude-code-jsonl') expectSoundList(transcript.messages, JSON.parse(text))
      else expect({ ...transcript.request, messages: transcript.messages }).toEqual(JSON.parse(text))
    })
  }
})

function expectRounds({ messages, rounds }: Transcript): void {
  const open = messages.at(-1)?.role === 'assistant' ? 0 : 1
  const answers = messages.filter(({ role }, position) => role === 'assistant' && position > 0)
  expect(rounds).toHaveLength(answers.length + open)
  for (const length of rounds) expect([undefined, 'assistant']).toContain(messages[length]?.role)
}

/** Roles alternate, a result follows its call, and a call is answered wherever the log holds its result. */
function expectSoundList(messages: readonly JsonObject[], log: readonly unknown[]): void {
  const lines = log.filter(isObject).map(({ message }) => (isObject(message) ? message : undefined))
  const recorded = new Set(
    lines.flatMap((line) => blocks(line, 'tool_result')).map((block) => block.tool_use_id),
  )
  for (const [position, message] of messages.entries()) {
    const before = messages[position - 1]
    expect(message.role).toBe(before?.role === 'user' ? 'assistant' : 'user')
    expect(message.content).not.toHaveLength(0)
    const asked = blocks(before, 'tool_use').map(({ id }) => id)
    const answered = blocks(message, 'tool_result').map((block) => block.tool_use_id)
    expect(new Set(answered)).toEqual(new Set(asked.filter((id) => recorded.has(id))))
    expect(answered).toHaveLength(new Set(answered).size)
  }
}

function blocks(message: JsonObject | undefined, type: string): readonly JsonObject[] {
  const content = message?.content
  return Array.isArray(content) ? content.filter(isObject).filter((block) => block.type === type) : []
}
