import type { ContextTool } from '../../branch.ts'
import type { JsonObject } from '../../engine/json.ts'
import { documentList, documentsWith, documentText } from './documents.ts'

interface DocumentTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject & { readonly type: 'object' }
}

/** The app's own tools, in words that are no provider's. */
export const documentTools: readonly DocumentTool[] = [
  {
    name: 'list_documents',
    description: 'Lists the documents, with the subject of each and how many copies there are.',
    parameters: { type: 'object', properties: {} },
  },
  {
    name: 'search_documents',
    description: 'Names the documents that have a word.',
    parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  },
  {
    name: 'read_document',
    description: 'Reads one document whole.',
    parameters: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Such as doc-07' } },
      required: ['name'],
    },
  },
]

const answers: Readonly<Record<string, (args: Readonly<Record<string, unknown>>) => string>> = {
  list_documents: documentList,
  search_documents: ({ word }) => documentsWith(String(word)),
  read_document: ({ name }) => documentText(String(name)),
}

/** What an app does with a call of its model: whatever is no tool of its own is the context tool. */
export async function runTool(context: ContextTool, name: string, args: unknown): Promise<string> {
  const answer = answers[name]
  if (answer === undefined) return JSON.stringify(await context.run(args))
  return answer(args as Readonly<Record<string, unknown>>)
}
