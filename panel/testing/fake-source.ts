import type { FoldPreview, MessagePreview } from '../../sdk/branch.ts'
import type { DogearEvent } from '../../sdk/events.ts'
import type { CommandReply, CommandType, PanelCommand, PanelSnapshot, PanelSource } from '../source.ts'
import { parts, snapshot } from './journal-builder.ts'

type Answers = {
  [Type in CommandType]: (command: PanelCommand<Type>) => CommandReply<Type> | Promise<CommandReply<Type>>
}

export interface FakeSource extends PanelSource {
  /** Everything that was asked, oldest first. */
  readonly asked: PanelCommand[]
  readonly answers: Answers
  /** What the next snapshot tells; replace it to make it fail. */
  takeSnapshot: () => PanelSnapshot | Promise<PanelSnapshot>
  readonly listeners: Set<(event: DogearEvent) => void>
  emit(...events: DogearEvent[]): void
}

export interface FakeSourceOptions {
  readonly snapshot?: PanelSnapshot
  readonly messages?: readonly MessagePreview[]
  readonly preview?: FoldPreview | null
  /** Whole texts by record index. */
  readonly texts?: Readonly<Record<number, string>>
}

/** A source whose whole world is given, and that remembers what the panel asked. */
export function fakeSource(options: FakeSourceOptions = {}): FakeSource {
  const { messages = [], preview = null, texts = {} } = options
  const asked: PanelCommand[] = []
  const listeners = new Set<(event: DogearEvent) => void>()
  const answers: Answers = {
    preview: () => ({ type: 'result', result: preview }),
    'get-messages': ({ start, end }) => ({
      type: 'result',
      result: { total: messages.length, messages: messages.slice(start, end) },
    }),
    'read-result': ({ index, offset, limit }) => {
      const text = [...(texts[index] ?? '')]
      const end = Math.min(text.length, offset + limit)
      return {
        type: 'result',
        result: {
          text: text.slice(offset, end).join(''),
          total: text.length,
          nextOffset: end < text.length ? end : null,
        },
      }
    },
    restore: ({ start, end }) => ({
      type: 'result',
      result: {
        success: true,
        restored: Array.from({ length: end - start }, (_, step) => start + step),
        estimate: 45_100,
      },
    }),
    'restore-fold': () => ({ type: 'result', result: { success: true, restored: [3, 4], estimate: 45_100 } }),
  }
  const source: FakeSource = {
    asked,
    answers,
    listeners,
    takeSnapshot: () => options.snapshot ?? snapshot(),
    emit: (...events) => {
      for (const event of events) for (const listener of listeners) listener(event)
    },
    snapshot: async () => source.takeSnapshot(),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    command: async <Type extends CommandType>(command: PanelCommand<Type>) => {
      asked.push(structuredClone(command) as PanelCommand)
      const answer: Answers[Type] = answers[command.type]
      return answer(command)
    },
  }
  return source
}

export function message(index: number, overrides: Partial<MessagePreview> = {}): MessagePreview {
  return {
    index,
    kind: 'result',
    state: 'verbatim',
    preview: `text of entry ${index}`,
    chars: 12_000,
    delivered: true,
    ...overrides,
  }
}

export function foldPreview(overrides: Partial<FoldPreview> = {}): FoldPreview {
  return {
    before: 41_200,
    after: 41_200,
    method: 'counted',
    ceiling: 64_000,
    line: 54_400,
    target: 38_400,
    parts: parts({ system: 11_200, result: 30_000 }),
    action: 'pass',
    steps: [],
    ...overrides,
  }
}
