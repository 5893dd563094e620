import { type Activity, type PlayerState, roundsOf } from './player/player-state.ts'

export interface ProgressProps {
  readonly state: PlayerState
  /** What the tokenizer is doing, while it is not ready. */
  readonly loading: string | null
}

/** How far the long work is, in a bar and in words. */
export function Progress({ state, loading }: ProgressProps) {
  const { activity, position, conversation } = state
  const rounds = roundsOf(state)
  if (activity.type === 'reading')
    return <Bar words={words(activity, state, loading)} value={activity.loaded} max={activity.total} />
  if (activity.type === 'opening') return <Bar words={words(activity, state, loading)} />
  if (conversation && !conversation.transcript)
    return <p className="progress quiet">Open the same file again to play it on.</p>
  return <Bar words={words(activity, state, loading)} value={position} max={rounds} />
}

function Bar({
  words,
  value,
  max,
}: {
  readonly words: string
  readonly value?: number
  readonly max?: number
}) {
  return (
    <div className="progress">
      <progress
        aria-label={words}
        {...(value !== undefined && max !== undefined && max > 0 && { value, max })}
      />
      <span className="quiet">{words}</span>
    </div>
  )
}

function words(activity: Activity, state: PlayerState, loading: string | null): string {
  const played = `${state.position} of ${roundsOf(state)} rounds played`
  switch (activity.type) {
    case 'idle':
      return played
    case 'reading':
      return `Reading ${activity.name}: ${megabytes(activity.loaded)} of ${megabytes(activity.total)} MB`
    case 'opening':
      return `Opening ${activity.name}…`
    case 'playing':
      return loading ?? played
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}
