import type { ContextTool } from '../../branch.ts'
import type { JsonObject } from '../../engine/json.ts'
import { documentText } from './documents.ts'

/** The app's own tool, in words that are no provider's. */
export const readDocument = {
  name: 'read_document',
  description: 'Reads one document whole.',
  parameters: {
    type: 'object',
    properties: { name: { type: 'string', description: 'Such as doc-07' } },
    required: ['name'],
  },
} as const satisfies JsonObject & { readonly name: string }

/** What an app does with a call of its model. */
export async function runTool(context: ContextTool, name: string, args: unknown): Promise<string> {
  if (name !== readDocument.name) return JSON.stringify(await context.run(args))
  return documentText(String((args as { readonly name?: unknown }).name))
}
