import type {
  Branch,
  FoldPreview,
  Journal,
  MessagePreviews,
  RestoreReply,
  ResultSlice,
} from '../sdk/branch.ts'
import type { DogearEvent } from '../sdk/events.ts'

/** What happened before the panel was opened. */
export interface PanelSnapshot {
  readonly branchId: string
  readonly journal: Journal
}

export type Restored = Extract<RestoreReply, { success: true }>

interface CommandTable {
  preview: { arguments: object; result: FoldPreview | null }
  'get-messages': { arguments: { readonly start: number; readonly end: number }; result: MessagePreviews }
  'read-result': {
    arguments: { readonly index: number; readonly offset: number; readonly limit: number }
    result: ResultSlice
  }
  /** Record indexes, half-open. */
  restore: { arguments: { readonly start: number; readonly end: number }; result: Restored }
  'restore-fold': { arguments: { readonly foldId: string }; result: Restored }
}

export type CommandType = keyof CommandTable

/** A question or a wish of the panel, as plain data. */
export type PanelCommand<Type extends CommandType = CommandType> = {
  [Name in Type]: { readonly type: Name } & CommandTable[Name]['arguments']
}[Type]

export type CommandResult<Type extends CommandType> = CommandTable[Type]['result']

/** A command is answered with a result or with a reason. A source never rejects one. */
export type CommandReply<Type extends CommandType = CommandType> =
  | { readonly type: 'result'; readonly result: CommandResult<Type> }
  | { readonly type: 'refused'; readonly reason: string; readonly code?: string }

/** All that the panel knows of the world: events come down, commands go up. Everything is plain data. */
export interface PanelSource {
  snapshot(): Promise<PanelSnapshot>
  /** The listener must be called with every event after this call, in order. Returns the unsubscribe. */
  subscribe(listener: (event: DogearEvent) => void): () => void
  command<Type extends CommandType>(command: PanelCommand<Type>): Promise<CommandReply<Type>>
}

interface EventFeed {
  subscribe(listener: (event: DogearEvent) => void): () => void
}

type CommandHandlers = {
  readonly [Type in CommandType]: (command: PanelCommand<Type>) => Promise<CommandReply<Type>>
}

/**
 * The panel's source for a branch in the same page. Make one per branch and keep it: a panel that is given a
 * new source starts over.
 */
export function branchSource(dogear: EventFeed, branch: Branch): PanelSource {
  const handlers: CommandHandlers = {
    preview: async () => result(await branch.preview()),
    'get-messages': async ({ start, end }) => result(await branch.getMessages({ scope: 'all', start, end })),
    'read-result': async ({ index, offset, limit }) =>
      result(await branch.readResult({ index, offset, limit })),
    restore: async ({ start, end }) => restored(await branch.restore({ start, end })),
    'restore-fold': async ({ foldId }) => restored(await branch.restoreFold(foldId)),
  }
  return {
    snapshot: async () => ({ branchId: branch.id, journal: await branch.journal() }),
    subscribe: (listener) =>
      dogear.subscribe((event) => {
        if (event.branchId === branch.id) listener(event)
      }),
    command: async <Type extends CommandType>(command: PanelCommand<Type>) => {
      try {
        return await handlers[command.type](command)
      } catch (error) {
        return refused(error)
      }
    },
  }
}

function result<Result>(value: Result): { readonly type: 'result'; readonly result: Result } {
  return { type: 'result', result: value }
}

function restored(reply: RestoreReply): CommandReply<'restore'> {
  return reply.success ? result(reply) : { type: 'refused', reason: reply.reason }
}

function refused(error: unknown): {
  readonly type: 'refused'
  readonly reason: string
  readonly code?: string
} {
  if (!(error instanceof Error)) return { type: 'refused', reason: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { type: 'refused', reason: error.message, ...(code === undefined ? {} : { code }) }
}
