import { useState } from 'react'
import { rehearsalTask } from '../../sdk/testing.ts'

export interface ComposerProps {
  readonly isAnswering: boolean
  readonly onSend: (text: string) => void
  readonly onStop: () => void
  readonly onRenew: () => void
}

/** Holds the task at first, so that one click is enough. */
export function Composer({ isAnswering, onSend, onStop, onRenew }: ComposerProps) {
  const [text, setText] = useState(rehearsalTask)

  function send(): void {
    onSend(text)
    setText('')
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        aria-label="Message"
        rows={3}
        value={text}
        placeholder="Say something"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          if (!isAnswering) send()
        }}
      />
      <div className="actions">
        {isAnswering ? (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        ) : (
          <button type="submit" className="primary" disabled={text.trim() === ''}>
            Send
          </button>
        )}
        <button
          type="button"
          onClick={() => {
            setText(rehearsalTask)
            onRenew()
          }}
        >
          New chat
        </button>
      </div>
    </form>
  )
}
