import type { Format, ToolDefinition } from '../engine/format.ts'
import type { JsonObject } from '../engine/json.ts'

/** A tool in the shape that the list of tools of a format takes. */
export function toolDefinition(
  format: Format,
  { name, description, parameters }: ToolDefinition,
): JsonObject | null {
  switch (format) {
    case 'openai-chat':
      return { type: 'function', function: { name, description, parameters } }
    case 'openai-responses':
      // Strict where nothing is said, and a strict tool must require every parameter.
      return { type: 'function', name, description, parameters, strict: false }
    case 'anthropic':
      return { name, description, input_schema: parameters }
    case 'gemini':
      return { functionDeclarations: [{ name, description, parameters }] }
    case 'ai-sdk':
      return { type: 'function', name, description, inputSchema: parameters }
    default:
      return null
  }
}
