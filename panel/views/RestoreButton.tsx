import { useState } from 'react'
import { ask } from '../ask.ts'
import { usePanelTools } from '../context.ts'
import { formatCount, formatTokens } from '../format.ts'
import type { PanelCommand, Restored } from '../source.ts'

type RestoreState =
  | { readonly type: 'idle' }
  | { readonly type: 'asked' }
  | { readonly type: 'restored'; readonly reply: Restored }
  | { readonly type: 'refused'; readonly reason: string }

export interface RestoreButtonProps {
  readonly command: PanelCommand<'restore' | 'restore-fold'>
  readonly label: string
}

/** Asks for entries to come back into the next request, and says what came of it. */
export function RestoreButton({ command, label }: RestoreButtonProps) {
  const { source } = usePanelTools()
  const [state, setState] = useState<RestoreState>({ type: 'idle' })

  async function restore(): Promise<void> {
    setState({ type: 'asked' })
    const reply = await ask(source, command)
    setState(
      reply.type === 'result'
        ? { type: 'restored', reply: reply.result }
        : { type: 'refused', reason: reply.reason },
    )
  }

  return (
    <span className="restore">
      <button type="button" disabled={state.type === 'asked'} onClick={restore}>
        {label}
      </button>
      <span role="status" className={state.type === 'refused' ? 'bad' : 'quiet'}>
        {outcomeOf(state)}
      </span>
    </span>
  )
}

function outcomeOf(state: RestoreState): string {
  if (state.type === 'asked') return 'Restoring…'
  if (state.type === 'refused') return `Not restored: ${state.reason}`
  if (state.type === 'idle') return ''
  const { restored, estimate } = state.reply
  if (restored.length === 0) return 'Nothing to restore: it is in the next request already.'
  const size = estimate === null ? '' : ` The next request is about ${formatTokens(estimate)}.`
  return `Restored ${formatCount(restored.length, 'entry', 'entries')}.${size}`
}
