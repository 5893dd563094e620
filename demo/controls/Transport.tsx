import { paceAt, paces } from '../player/pace.ts'
import type { Player } from '../player/player.ts'
import { isFinished, type PlayerState } from '../player/player-state.ts'

export interface TransportProps {
  readonly player: Player
  readonly state: PlayerState
  readonly isSample: boolean
}

/** Play, pause, step, stop, and how fast. */
export function Transport({ player, state, isSample }: TransportProps) {
  const { activity, conversation, position, pace } = state
  const playing = activity.type === 'playing'
  const playable = conversation?.transcript != null && (playing || activity.type === 'idle')
  const finished = isFinished(state)

  async function play(): Promise<void> {
    if (finished) await player.startOver()
    await player.play()
  }

  return (
    <fieldset className="transport">
      <legend className="unseen">Playback</legend>
      <button type="button" className="primary" disabled={!playable} onClick={playing ? player.pause : play}>
        {playing ? 'Pause' : playLabel({ position, finished, isSample })}
      </button>
      <button type="button" disabled={!playable || playing || finished} onClick={player.step}>
        Step
      </button>
      <button type="button" disabled={activity.type === 'idle'} onClick={player.stop}>
        Stop
      </button>
      <button type="button" disabled={!playable || playing || position === 0} onClick={player.startOver}>
        Start over
      </button>
      <label className="pace">
        Speed
        <input
          type="range"
          min={0}
          max={paces.length - 1}
          value={pace}
          aria-valuetext={paceAt(pace).words}
          onChange={({ target }) => player.setPace(target.valueAsNumber)}
        />
        <span className="quiet">{paceAt(pace).words}</span>
      </label>
    </fieldset>
  )
}

function playLabel(facts: { position: number; finished: boolean; isSample: boolean }): string {
  if (facts.finished) return 'Play again'
  if (facts.position > 0) return 'Play on'
  return facts.isSample ? 'Play the sample' : 'Play'
}
