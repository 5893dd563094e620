import type { JsonObject } from '../engine/json.ts'

export interface ToolChatRound {
  /** What the assistant says beside its calls. */
  readonly says?: string
  /** Result of each call of the round; a text, or what it is to be the JSON text of. */
  readonly results: readonly (string | object)[]
  /** Name and arguments of the calls; `read` with the place of the call. */
  readonly name?: string
  readonly arguments?: JsonObject
}

/**
 * A chat request of OpenAI's shape over one task and some rounds of calls. Record indexes: 0 the task, then for
 * each round its answer, its calls, and their results.
 */
export function toolChat(
  rounds: readonly ToolChatRound[],
  options: { readonly tools?: readonly unknown[]; readonly after?: readonly JsonObject[] } = {},
): JsonObject {
  const messages: unknown[] = [{ role: 'user', content: 'Find out what the archive holds.' }]
  for (const [round, { says, results, name = 'read', ...given }] of rounds.entries()) {
    const ids = results.map((_, position) => `call_${round}_${position}`)
    const place = (position: number): JsonObject => ({ part: `${round}.${position}` })
    messages.push({
      role: 'assistant',
      content: says ?? null,
      tool_calls: ids.map((id, position) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(given.arguments ?? place(position)) },
      })),
    })
    for (const [position, result] of results.entries())
      messages.push({
        role: 'tool',
        tool_call_id: ids[position],
        content: typeof result === 'string' ? result : JSON.stringify(result),
      })
  }
  messages.push(...(options.after ?? []))
  return { model: 'm', ...(options.tools ? { tools: options.tools } : {}), messages } as JsonObject
}

/** A text of exactly so many characters, of which no two stretches are alike. */
export function numberedText(characters: number, name = 'line'): string {
  const lines = Math.ceil(characters / 6)
  return Array.from({ length: lines }, (_, line) => `${name} ${line}`)
    .join('\n')
    .slice(0, characters)
}
