import { useLayoutEffect, useRef, useState } from 'react'
import type { Branch, Dogear, MessagePreview } from '../../sdk/index.ts'
import type { RoundOutcome } from '../player/play-round.ts'
import { RoundMark } from './RoundMark.tsx'
import { conversationRows } from './rows.ts'
import { useMessages } from './use-messages.ts'

/** Messages shown at first, and added by "Show earlier". */
const page = 200

export interface ConversationProps {
  readonly dogear: Dogear
  readonly branch: Branch
  readonly outcomes: readonly RoundOutcome[]
  /** What is said while there is no message. */
  readonly empty: string
}

/** The record as it grows: who said what, what was folded since, and how each round ended. */
export function Conversation({ dogear, branch, outcomes, empty }: ConversationProps) {
  const [most, setMost] = useState(page)
  const reading = useMessages(dogear, branch, most)
  const list = useRef<HTMLOListElement>(null)
  const follows = useRef(true)

  useLayoutEffect(() => {
    if (reading.type === 'read' && follows.current) list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [reading])

  if (reading.type === 'waiting') return null
  if (reading.type === 'failed')
    return (
      <p className="bad">
        {reading.problem.message} <code>{reading.problem.code}</code>
      </p>
    )
  const { previews } = reading
  if (previews.total === 0) return <p className="empty quiet">{empty}</p>

  const hidden = previews.total - previews.messages.length
  return (
    <ol
      ref={list}
      className="conversation"
      aria-label="Conversation"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollTop + clientHeight >= scrollHeight - 40
      }}
    >
      {hidden > 0 && (
        <li className="earlier">
          <button type="button" onClick={() => setMost(most + page)}>
            Show earlier messages ({hidden.toLocaleString('en-US')} more)
          </button>
        </li>
      )}
      {conversationRows(previews.messages, outcomes).map((row) =>
        row.type === 'message' ? (
          <MessageRow key={row.message.index} message={row.message} />
        ) : (
          <RoundMark key={`round ${row.outcome.round}`} outcome={row.outcome} />
        ),
      )}
    </ol>
  )
}

const marks = { verbatim: '', clipped: 'clipped', note: '', out: 'folded' } as const

const speakers: Readonly<Record<MessagePreview['kind'], string>> = {
  system: 'system',
  instruction: 'user',
  answer: 'answer',
  call: 'call',
  result: 'result',
  note: 'note',
  copy: 'copy',
}

function MessageRow({ message }: { readonly message: MessagePreview }) {
  const { index, kind, state, name, preview, chars } = message
  return (
    <li className="message" data-kind={kind} data-state={state}>
      <span className="index quiet">{index}</span>
      <span className="role">{speakers[kind]}</span>
      <span className="text">
        {kind === 'result' && name && <b>{name} </b>}
        {preview}
      </span>
      <span className="size quiet">{chars.toLocaleString('en-US')}</span>
      <span className="mark">{marks[state]}</span>
    </li>
  )
}
