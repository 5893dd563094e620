import { useState, useSyncExternalStore } from 'react'
import type { Branch, BranchOptions } from './branch.ts'
import type { Dogear } from './dogear.ts'
import { Emitter } from './emitter.ts'
import { DogearError } from './errors.ts'

/** A branch, or why there is none; both null: it is being opened. */
export type OpenedBranch =
  | { readonly branch: Branch; readonly error: null }
  | { readonly branch: null; readonly error: DogearError }
  | { readonly branch: null; readonly error: null }

const waiting: OpenedBranch = { branch: null, error: null }

/** One attempt to open a branch, for as long as a component wants it. */
interface Opening {
  isOf(dogear: Pick<Dogear, 'branch'>, id: string | null): boolean
  subscribe(listener: () => void): () => void
  current(): OpenedBranch
}

/**
 * Opens the branch of that id when the component is mounted; never while it renders, nor on a server. Another id or
 * another dogear opens another, and so is the way to try again what failed. With `id` null, as before a chat has one,
 * nothing is opened. The options count when the branch is opened, and may be made anew for each render; change a policy
 * with `branch.setPolicy`.
 */
export function useBranch(
  dogear: Pick<Dogear, 'branch'>,
  id: string | null,
  options: BranchOptions = {},
): OpenedBranch {
  const [held, hold] = useState(() => openingOf(dogear, id, options))
  const opening = held.isOf(dogear, id) ? held : openingOf(dogear, id, options)
  if (opening !== held) hold(opening)
  return useSyncExternalStore(opening.subscribe, opening.current, () => waiting)
}

function openingOf(dogear: Pick<Dogear, 'branch'>, id: string | null, options: BranchOptions): Opening {
  const changes = new Emitter<OpenedBranch>()
  let opened = waiting
  let isBegun = false

  async function open(wanted: string): Promise<void> {
    isBegun = true
    opened = await dogear.branch(wanted, options).then(
      (branch) => ({ branch, error: null }),
      (error: unknown) => ({ branch: null, error: openingError(error) }),
    )
    changes.emit(opened)
  }

  return {
    isOf: (otherDogear, otherId) => otherDogear === dogear && otherId === id,
    subscribe(listener) {
      // Once, though StrictMode mounts a component twice.
      if (!isBegun && id !== null) void open(id)
      return changes.subscribe(listener)
    },
    current: () => opened,
  }
}

/** Only a store of the app's own rejects with anything else. */
function openingError(error: unknown): DogearError {
  if (DogearError.isInstance(error)) return error
  return new DogearError({
    code: 'store_failed',
    message: 'the store could not load the branch; its own error is the cause',
    cause: error,
  })
}
