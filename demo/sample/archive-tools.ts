import type { ArchiveDocument } from './archive.ts'

export interface ToolAnswer {
  readonly text: string
  readonly failed?: true
}

/** Arguments of a call to one of the archive's three tools. */
export type ToolCall =
  | { readonly name: 'list_documents'; readonly input: { readonly prefix?: string } }
  | { readonly name: 'search_documents'; readonly input: { readonly query: string; readonly limit?: number } }
  | {
      readonly name: 'read_document'
      readonly input: { readonly id: string; readonly from?: number; readonly to?: number }
    }

/** The tools as the model is told of them, in Anthropic's shape. */
export const toolDefinitions = [
  {
    name: 'list_documents',
    description: 'Lists the documents of the archive: id, title and number of lines.',
    input_schema: {
      type: 'object',
      properties: { prefix: { type: 'string', description: 'Only ids that begin with this.' } },
    },
  },
  {
    name: 'search_documents',
    description: 'Finds lines that hold a phrase, without regard to case.',
    input_schema: {
      type: 'object',
      properties: {
        query: { type: 'string' },
        limit: { type: 'integer', description: 'At most so many lines; 20 when absent.' },
      },
      required: ['query'],
    },
  },
  {
    name: 'read_document',
    description: 'Reads a document, or some of its lines, counted from 1.',
    input_schema: {
      type: 'object',
      properties: { id: { type: 'string' }, from: { type: 'integer' }, to: { type: 'integer' } },
      required: ['id'],
    },
  },
] as const

export function answerCall(archive: readonly ArchiveDocument[], call: ToolCall): ToolAnswer {
  switch (call.name) {
    case 'list_documents':
      return list(archive, call.input.prefix ?? '')
    case 'search_documents':
      return search(archive, call.input.query, call.input.limit ?? 20)
    case 'read_document':
      return read(archive, call.input)
  }
}

function list(archive: readonly ArchiveDocument[], prefix: string): ToolAnswer {
  const found = archive.filter(({ id }) => id.startsWith(prefix))
  return { text: found.map(({ id, title, lines }) => `${id} – ${title} (${lines.length} lines)`).join('\n') }
}

function search(archive: readonly ArchiveDocument[], query: string, limit: number): ToolAnswer {
  const wanted = query.toLowerCase()
  const hits = archive.flatMap(({ id, lines }) =>
    lines.flatMap((line, at) =>
      line.toLowerCase().includes(wanted) ? [`${id}, line ${at + 1}: ${line}`] : [],
    ),
  )
  const head = `${hits.length} lines hold “${query}”${hits.length > limit ? `; the first ${limit} of them` : ''}.`
  return { text: [head, ...hits.slice(0, limit)].join('\n') }
}

function read(
  archive: readonly ArchiveDocument[],
  { id, from = 1, to }: { id: string; from?: number; to?: number },
): ToolAnswer {
  const found = archive.find((document) => document.id === id)
  if (!found) return { text: `There is no document ${id}. Use list_documents to see the ids.`, failed: true }
  const lines = found.lines.slice(from - 1, to)
  return {
    text: [
      `${found.title}. Lines ${from} to ${from + lines.length - 1} of ${found.lines.length}.`,
      ...lines,
    ].join('\n'),
  }
}
