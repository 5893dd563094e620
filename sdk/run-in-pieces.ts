import { type Plan, resumed, type Wish, type WishAnswer } from './engine/plan.ts'
import type { Breathe } from './ports.ts'
import { throwIfAborted } from './prepare-options.ts'

export interface PieceOptions {
  readonly breathe: Breathe
  readonly signal?: AbortSignal
}

/** Runs a plan and lets the page breathe where the plan may pause. Rejects with `aborted` when the signal says so then. */
export async function runInPieces<Result>(
  plan: Plan<Result>,
  options: PieceOptions & {
    readonly answer: (wish: Wish) => WishAnswer | Promise<WishAnswer>
  },
): Promise<Result> {
  let step = plan.next()
  while (!step.done) {
    if (step.value.type === 'may-pause') {
      const breath = options.breathe()
      if (breath) {
        await breath
        throwIfAborted(options.signal)
      }
      step = plan.next(resumed)
    } else step = plan.next(await options.answer(step.value))
  }
  return step.value
}

/** Lets the page breathe between two pieces of work. */
export async function breatheBetween({ breathe, signal }: PieceOptions): Promise<void> {
  await breathe()
  throwIfAborted(signal)
}
