import { useSyncExternalStore } from 'react'
import type { Branch } from './branch.ts'
import type { DogearEvent } from './events.ts'

/** One thing that components show of a branch: how it is read, and what the events of the branch say of it. */
export interface BranchFact<Value> {
  /** Before it was read, where it cannot be, and on a server. */
  readonly unknown: Value
  read(branch: Branch): Promise<Value>
  hear(event: DogearEvent): Heard<Value>
  /** Must return the known value where the fresh one is equal to it, for nothing is rendered then. */
  reuse(known: Value, fresh: Value): Value
}

export type Heard<Value> =
  | { readonly type: 'nothing' }
  /** It has to be read again. */
  | { readonly type: 'changed' }
  /** The value as it is now: newer than whatever is being read. */
  | { readonly type: 'value'; readonly value: Value }

export interface LiveFact<Value> {
  subscribe(listener: () => void): () => void
  current(): Value
}

/** The fact of each branch that components show, made when the first of them does and gone with the branch. */
export interface LiveFacts<Value> {
  of(branch: Branch | null): LiveFact<Value>
  readonly none: LiveFact<Value>
}

/** Shows a fact of a branch, kept up to date once for all components that show it. */
export function useLiveFact<Value>(facts: LiveFacts<Value>, branch: Branch | null): Value {
  const { subscribe, current } = facts.of(branch)
  return useSyncExternalStore(subscribe, current, facts.none.current)
}

export function liveFacts<Value>(fact: BranchFact<Value>): LiveFacts<Value> {
  const live = new WeakMap<Branch, LiveFact<Value>>()
  const none: LiveFact<Value> = { subscribe: () => () => undefined, current: () => fact.unknown }
  return {
    none,
    of(branch) {
      if (branch === null) return none
      const known = live.get(branch) ?? liveFact(branch, fact)
      live.set(branch, known)
      return known
    },
  }
}

/**
 * Listens to the branch while somebody listens here. One read is under way at a time; what is heard meanwhile makes
 * its answer old, and another is asked for after it.
 */
function liveFact<Value>(branch: Branch, fact: BranchFact<Value>): LiveFact<Value> {
  const listeners = new Set<() => void>()
  let stopHearing = (): void => undefined
  let value = fact.unknown
  /** Changes that are known of, and those of them that the value has. */
  let changes = 0
  let shown = 0
  let isReading = false

  function show(fresh: Value): void {
    shown = changes
    value = fact.reuse(value, fresh)
    for (const listener of [...listeners]) listener()
  }

  function hear(event: DogearEvent): void {
    const heard = fact.hear(event)
    if (heard.type === 'nothing') return
    changes += 1
    if (heard.type === 'value') show(heard.value)
    else void refresh()
  }

  async function refresh(): Promise<void> {
    if (isReading) return
    isReading = true
    // All that happens in one go is read once.
    await Promise.resolve()
    while (shown < changes && listeners.size > 0) {
      const asked = changes
      // A branch that was deleted, or cannot be read, says so to whoever asks it for something.
      const fresh = await fact.read(branch).catch(() => fact.unknown)
      if (asked === changes) show(fresh)
    }
    isReading = false
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) {
        stopHearing = branch.subscribe(hear)
        // Nobody listened until now.
        changes += 1
        void refresh()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stopHearing()
      }
    },
    current: () => value,
  }
}
