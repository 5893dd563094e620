import type { ReactNode } from 'react'
import { type PlayerState, roundsOf } from './player/player-state.ts'

export interface ProgressProps {
  readonly state: PlayerState
  /** What the tokenizer is doing, while it is not ready. */
  readonly loading: string | null
}

/** How far the long work is, in a bar and in words. */
export function Progress({ state, loading }: ProgressProps) {
  const { activity, conversation, position } = state
  if (activity.type === 'reading') {
    const { name, loaded, total } = activity
    return (
      <Bar
        words={`Reading ${name}: ${megabytes(loaded)} of ${megabytes(total)} MB`}
        value={loaded}
        max={total}
      />
    )
  }
  if (activity.type === 'opening') return <Bar words={`Opening ${activity.name}…`} />
  if (!conversation) return null
  if (!conversation.transcript)
    return <p className="progress quiet">Open the same file again to play it on.</p>
  const rounds = roundsOf(state)
  const measuring = activity.type === 'playing' && activity.measuring
  return (
    <Bar words={`${position} of ${rounds} rounds played`} value={position} max={rounds}>
      {measuring && (
        // Shown by the style sheet where a round takes long; a new element for each round.
        <span key={position} className="slow quiet">
          {loading ?? `counting round ${position + 1}…`}
        </span>
      )}
    </Bar>
  )
}

interface BarProps {
  readonly words: string
  readonly value?: number
  readonly max?: number
  readonly children?: ReactNode
}

function Bar({ words, value, max, children }: BarProps) {
  return (
    <div className="progress">
      <progress
        aria-label={words}
        {...(value !== undefined && max !== undefined && max > 0 && { value, max })}
      />
      <span className="quiet">{words}</span>
      {children}
    </div>
  )
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}
