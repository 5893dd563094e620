import { type ArchiveDocument, makeArchive } from './archive.ts'
import { answerCall, type ToolCall } from './archive-tools.ts'

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object }
  | {
      readonly type: 'tool_result'
      readonly tool_use_id: string
      readonly content: string
      readonly is_error?: true
    }

export interface ScriptMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string | readonly Block[]
}

/** Writes a conversation down while it happens: every result is what the archive really answers. */
export class Script {
  readonly messages: ScriptMessage[] = []
  readonly #archive: readonly ArchiveDocument[] = makeArchive()
  #calls = 0

  ask(text: string): void {
    this.messages.push({ role: 'user', content: text })
  }

  /** One answer of the model with its calls, and their results. */
  look(text: string, ...calls: readonly ToolCall[]): void {
    const asked = calls.map((call) => ({ ...call, type: 'tool_use' as const, id: `call_${++this.#calls}` }))
    this.messages.push({ role: 'assistant', content: [{ type: 'text', text }, ...asked] })
    const results = asked.map((call): Block => {
      const { text: content, failed } = answerCall(this.#archive, call)
      return { type: 'tool_result', tool_use_id: call.id, content, ...(failed && { is_error: true }) }
    })
    this.messages.push({ role: 'user', content: results })
  }

  answer(text: string): void {
    this.messages.push({ role: 'assistant', content: [{ type: 'text', text }] })
  }

  /** A line of a document, word for word. */
  quote(id: string, begins: string): string {
    const line = this.#archive
      .find((document) => document.id === id)
      ?.lines.find((text) => text.startsWith(begins))
    if (line === undefined) throw new Error(`document ${id} has no line that begins with "${begins}"`)
    return line
  }
}

export function read(id: string, from?: number, to?: number): ToolCall {
  return {
    name: 'read_document',
    input: { id, ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
  }
}

export function search(query: string, limit?: number): ToolCall {
  return { name: 'search_documents', input: { query, ...(limit !== undefined && { limit }) } }
}

export function list(prefix?: string): ToolCall {
  return { name: 'list_documents', input: prefix === undefined ? {} : { prefix } }
}
