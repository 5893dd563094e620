import { type FormEvent, useId, useRef, useState } from 'react'
import type { ResultSlice } from '../../sdk/branch.ts'
import { ask } from '../ask.ts'
import { usePanelTools } from '../context.ts'
import { formatNumber } from '../format.ts'
import { readMost, readStep } from '../limits.ts'

type ReadState =
  | { readonly type: 'idle' }
  | { readonly type: 'asked' }
  | { readonly type: 'read'; readonly offset: number; readonly slice: ResultSlice }
  | { readonly type: 'refused'; readonly reason: string }

export interface RangeReaderProps {
  readonly index: number
}

/** Reads a stretch of an original by code points. Reading never changes the next request. */
export function RangeReader({ index }: RangeReaderProps) {
  const { source } = usePanelTools()
  const id = useId()
  const [from, setFrom] = useState('0')
  const [to, setTo] = useState(String(readStep))
  const [state, setState] = useState<ReadState>({ type: 'idle' })
  const newest = useRef(0)

  async function read(offset: number, limit: number): Promise<void> {
    newest.current += 1
    const asked = newest.current
    setState({ type: 'asked' })
    const reply = await ask(source, { type: 'read-result', index, offset, limit })
    if (asked !== newest.current) return
    setState(
      reply.type === 'result'
        ? { type: 'read', offset, slice: reply.result }
        : { type: 'refused', reason: reply.reason },
    )
  }

  function readRange(event: FormEvent): void {
    event.preventDefault()
    const start = Number(from)
    void read(start, Math.min(readMost, Number(to) - start))
  }

  function readOn(offset: number): void {
    setFrom(String(offset))
    setTo(String(offset + readStep))
    void read(offset, readStep)
  }

  const slice = state.type === 'read' ? state.slice : null
  const next = slice?.nextOffset ?? null
  return (
    <section aria-label="Read" className="reader">
      <form className="toolbar" onSubmit={readRange}>
        <label htmlFor={`${id}-from`}>From</label>
        <input
          id={`${id}-from`}
          type="number"
          min={0}
          required
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
        <label htmlFor={`${id}-to`}>to</label>
        <input
          id={`${id}-to`}
          type="number"
          min={Number(from) + 1}
          required
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
        <button type="submit">Read</button>
        {slice && next !== null && (
          <button type="button" onClick={() => readOn(next)}>
            Next {formatNumber(Math.min(readStep, slice.total - next))}
          </button>
        )}
        <span role="status" className={state.type === 'refused' ? 'bad' : 'quiet'}>
          {statusOf(state)}
        </span>
      </form>
      {state.type === 'read' && state.slice.text !== '' && (
        <pre className="conversation">{state.slice.text}</pre>
      )}
    </section>
  )
}

function statusOf(state: ReadState): string {
  if (state.type === 'asked') return 'Reading…'
  if (state.type === 'refused') return `Not read: ${state.reason}`
  if (state.type === 'idle') return ''
  const { offset, slice } = state
  if (slice.text === '') return `Nothing there: the text has ${formatNumber(slice.total)} characters.`
  const end = slice.nextOffset ?? slice.total
  const rest = slice.nextOffset === null ? 'the end' : `next at ${formatNumber(slice.nextOffset)}`
  return `${formatNumber(offset)}–${formatNumber(end)} of ${formatNumber(slice.total)}, ${rest}`
}
