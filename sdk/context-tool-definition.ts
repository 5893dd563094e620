import type { ToolDefinition } from './engine/format.ts'

export const contextActions = [
  'status',
  'get_messages',
  'read_result',
  'restore',
  'evict',
  'evict_action_results',
  'compact',
] as const

export type ContextAction = (typeof contextActions)[number]

/** The tool as a model is told of it. Its names are those that markers and notes use (R208, R218). */
export function contextToolDefinition(name: string): ToolDefinition {
  return {
    name,
    description: [
      'Look at and curate your own context. Every message has an index that never changes; ranges run from start to before end.',
      'status: how full the context is. get_messages: indexes and previews.',
      'read_result(index, offset, limit): read back any message in pages, whole and unchanged; go on at next_offset.',
      'restore(start, end): put messages back into the context. evict(start, end): take messages out, calls with their results.',
      'evict_action_results(keep): take out the tool results of all but the newest rounds.',
      'compact(start, end, summary): replace messages by one note. Nothing is ever lost: read_result and restore bring it back.',
    ].join('\n'),
    parameters: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: contextActions },
        index: { type: 'integer', description: 'read_result: the message to read' },
        offset: { type: 'integer', description: 'read_result: first character; default 0' },
        limit: {
          type: 'integer',
          description: 'read_result: number of characters; default 4000, at most 16000',
        },
        start: {
          type: 'integer',
          description: 'restore, evict, compact, get_messages: first index of the range',
        },
        end: {
          type: 'integer',
          description:
            'restore, evict, compact, get_messages: index after the last; default for restore and evict: start + 1',
        },
        scope: {
          type: 'string',
          enum: ['active', 'all'],
          description: 'get_messages: what the context holds (default), or all there ever was',
        },
        keep: { type: 'integer', description: 'evict_action_results: newest rounds that stay; default 2' },
        summary: {
          type: 'string',
          description: 'compact: what the note should say; written for you where it is left out',
        },
      },
      required: ['action'],
    },
  }
}
