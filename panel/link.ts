import type { DogearEvent } from '../sdk/events.ts'
import { ask } from './ask.ts'
import { addPage, isFresh, pageOf } from './entries.ts'
import {
  entriesEveryMs,
  entriesPerPage,
  flushEveryMs,
  heldEvents,
  keptPages,
  pagesAtOnce,
  previewEveryMs,
} from './limits.ts'
import { type PanelRecord, readSnapshot, reduceEvents, requestKey } from './reduce.ts'
import { requestRows } from './select.ts'
import { describeOutcome } from './sentences.ts'
import type { PanelSource } from './source.ts'
import type { PanelStore } from './store.ts'
import { type Throttled, throttle } from './throttle.ts'

/** Keeps a store up to date with its source, from its making until `close`. */
export interface Link {
  /**
   * Fetches previews of these record indexes where they are not there or not fresh, most wanted first. The
   * newest wish holds, and what is more than the cache can keep is left out.
   */
  wantEntries(indexes: readonly number[]): void
  /** Takes a new snapshot, for a source that failed. */
  reload(): void
  close(): void
}

const sizeChanges: ReadonlySet<DogearEvent['type']> = new Set([
  'policy-set',
  'request-decided',
  'request-settled',
  'calibration-updated',
  'entries-restored',
  'entries-evicted',
  'line-forked',
  'changed-elsewhere',
])

const entryChanges: ReadonlySet<DogearEvent['type']> = new Set([
  'request-decided',
  'request-settled',
  'entries-restored',
  'entries-evicted',
  'line-forked',
  'changed-elsewhere',
])

/** Events are applied in batches, so a fast conversation costs a few updates a second. */
export function openLink(source: PanelSource, store: PanelStore): Link {
  let closed = false
  let loading = false
  let missed = false
  let held: DogearEvent[] = []
  let wantedPages: readonly number[] = []
  const pagesOnTheirWay = new Set<number>()

  const flush = throttle(applyHeld, flushEveryMs)
  const refreshPreview = throttle(askPreview, previewEveryMs)
  const refreshEntries = throttle(outdateEntries, entriesEveryMs)
  const timers: readonly Throttled[] = [flush, refreshPreview, refreshEntries]

  function receive(event: DogearEvent): void {
    if (held.length >= heldEvents) {
      held = []
      missed = true
    }
    held.push(event)
    if (!loading) flush.request()
  }

  /** Events that come meanwhile are held and applied to the snapshot; where too many came, it is taken again. */
  async function load(): Promise<void> {
    if (loading) return
    loading = true
    try {
      do {
        missed = false
        const snapshot = await source.snapshot()
        if (closed) return
        store.setState({ branchId: snapshot.branchId, record: readSnapshot(snapshot) })
      } while (missed)
      store.setState({ connection: { type: 'connected' } })
      applyHeld()
      refreshPreview.request()
      refreshEntries.request()
    } catch (error) {
      if (closed) return
      const reason = error instanceof Error ? error.message : String(error)
      store.setState({ connection: { type: 'failed', reason } })
    } finally {
      loading = false
    }
  }

  function applyHeld(): void {
    if (missed) return void load()
    if (held.length === 0) return
    const events = held
    held = []
    store.setState(({ record, announcement }) => {
      const next = reduceEvents(record, events)
      return { record: next, announcement: refusalAmong(events, next) ?? announcement }
    })
    if (events.some(({ type }) => sizeChanges.has(type))) refreshPreview.request()
    if (events.some(({ type }) => entryChanges.has(type))) refreshEntries.request()
  }

  async function askPreview(): Promise<void> {
    const reply = await ask(source, { type: 'preview' })
    if (closed) return
    const preview =
      reply.type === 'result'
        ? ({ type: 'known', preview: reply.result } as const)
        : ({ type: 'refused', reason: reply.reason } as const)
    store.setState({ preview })
  }

  function outdateEntries(): void {
    store.setState(({ entries }) => ({
      entries: { ...entries, failure: null, revision: entries.revision + 1 },
    }))
  }

  function loadWanted(): void {
    const { entries } = store.getState()
    if (entries.failure !== null) return
    for (const page of wantedPages) {
      if (pagesOnTheirWay.size >= pagesAtOnce) return
      if (!pagesOnTheirWay.has(page) && !isFresh(entries, page)) void loadPage(page)
    }
  }

  /** After a page that failed none is asked for until the entries change or a person tries again. */
  async function loadPage(page: number): Promise<void> {
    pagesOnTheirWay.add(page)
    const { revision } = store.getState().entries
    const start = page * entriesPerPage
    const reply = await ask(source, { type: 'get-messages', start, end: start + entriesPerPage })
    pagesOnTheirWay.delete(page)
    if (closed) return
    if (reply.type === 'refused') {
      store.setState(({ entries }) => ({ entries: { ...entries, failure: reply.reason } }))
      return
    }
    store.setState(({ entries }) => ({
      entries: addPage(entries, { page, revision, reply: reply.result }),
    }))
    loadWanted()
  }

  const unsubscribe = source.subscribe(receive)
  void load()
  return {
    wantEntries(indexes) {
      wantedPages = [...new Set(indexes.map(pageOf))].slice(0, keptPages)
      loadWanted()
    },
    reload: () => void load(),
    close() {
      closed = true
      unsubscribe()
      for (const timer of timers) timer.cancel()
    },
  }
}

/** What a screen reader is told. Only a refusal interrupts: it is the one thing that a person must not miss. */
function refusalAmong(events: readonly DogearEvent[], record: PanelRecord): string | undefined {
  const refusal = events.findLast(
    (event) => event.type === 'request-decided' && event.decision.action === 'refuse',
  )
  if (refusal?.type !== 'request-decided') return undefined
  const key = requestKey(refusal.decision)
  const row = requestRows(record).find((candidate) => candidate.key === key)
  return row && `Request ${row.number}. ${describeOutcome(row.request)}`
}
