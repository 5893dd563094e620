import { createStore, type StoreApi } from 'zustand/vanilla'
import {
  type Branch,
  type ContextPolicy,
  type Dogear,
  parseTranscript,
  type Transcript,
} from '../../sdk/index.ts'
import { branchIdOf } from './branch-id.ts'
import { latestWins } from './latest-wins.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { paceAt, startPace } from './pace.ts'
import { playRound } from './play-round.ts'
import { type Activity, isFinished, type PlayerState } from './player-state.ts'
import { type Problem, problemOf, withProblem } from './problem.ts'
import { readFile } from './read-file.ts'
import { roundsHeld } from './rounds-held.ts'

export interface PlayerOptions {
  readonly dogear: Pick<Dogear, 'branch' | 'branches'>
  /** For conversations that have no policy of their own yet. */
  readonly policy: ContextPolicy
  /** Called with every conversation that is opened, so that a reload can find it. */
  readonly onOpen: (opened: { readonly branchId: string; readonly title: string }) => void
  /** Must resolve early when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

export interface Player {
  readonly store: StoreApi<PlayerState>
  openFile(file: File): Promise<void>
  openText(title: string, text: string): Promise<void>
  /**
   * Shows a stored branch whose text is not at hand: it can be looked at, but not played on. Answers whether
   * there is such a branch.
   */
  reopen(branchId: string, title: string): Promise<boolean>
  /** Plays on; resolves when the playing ends, for whatever reason. */
  play(): Promise<void>
  step(): Promise<void>
  /** Ends the playing after the round that is under way. */
  pause(): void
  /** Aborts whatever is under way. What was played stays. */
  stop(): void
  /** Empties the branch and goes back to the first round. */
  startOver(): Promise<void>
  setPace(pace: number): void
  /** In force from the next round; a policy that the SDK refuses changes nothing. */
  setPolicy(policy: ContextPolicy): Promise<void>
  dismiss(problem: Problem): void
}

/** Plays a recorded conversation through the SDK as the app would have: one prepare and one settle per round. */
export function createPlayer({ dogear, policy, onOpen, sleep }: PlayerOptions): Player {
  const store = createStore<PlayerState>(() => ({
    activity: { type: 'idle' },
    conversation: null,
    position: 0,
    outcomes: [],
    pace: startPace,
    policy,
    policyProblem: null,
    problems: [],
    announcement: '',
  }))
  const { getState: state, setState: set } = store
  const work = oneAtATime((error) => report(problemOf(error)))
  let nap = new AbortController()
  let pausing = false

  function report(problem: Problem): void {
    set(({ problems }) => ({ problems: withProblem(problems, problem), announcement: problem.message }))
  }

  function begin(activity: Activity, task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    nap.abort()
    return work.begin(async (signal) => {
      set({ activity })
      try {
        await task(signal)
      } finally {
        set({ activity: { type: 'idle' } })
      }
    })
  }

  async function isStored(branchId: string): Promise<boolean> {
    return (await dogear.branches()).some(({ id }) => id === branchId)
  }

  async function show(title: string, branch: Branch, transcript: Transcript | null): Promise<void> {
    const position = transcript ? await roundsHeld(branch, transcript) : 0
    onOpen({ branchId: branch.id, title })
    set({
      conversation: { visit: (state().conversation?.visit ?? 0) + 1, title, branch, transcript },
      position,
      outcomes: [],
      policy: branch.policy,
      policyProblem: null,
      problems: [],
      announcement: `Opened ${title}.`,
    })
  }

  async function openText(title: string, text: string, signal: AbortSignal): Promise<void> {
    const transcript = parseTranscript(text)
    const id = branchIdOf(text)
    const branch = await dogear.branch(id, (await isStored(id)) ? {} : { policy: state().policy })
    signal.throwIfAborted()
    await show(title, branch, transcript)
  }

  function playRounds(most: number): Promise<void> {
    return begin({ type: 'playing', measuring: true }, async (signal) => {
      pausing = false
      for (let played = 0; played < most && !pausing; played++) {
        const { conversation, position, pace } = state()
        if (!conversation?.transcript || isFinished(state())) break
        if (played > 0) {
          nap = new AbortController()
          set({ activity: { type: 'playing', measuring: false } })
          await sleep(paceAt(pace).pauseMs, nap.signal)
          if (pausing) break
        }
        signal.throwIfAborted()
        set({ activity: { type: 'playing', measuring: true } })
        const { branch, transcript } = conversation
        const outcome = await playRound(branch, { transcript, round: position, signal })
        set(({ outcomes }) => ({ position: position + 1, outcomes: [...outcomes, outcome] }))
        if (outcome.result.type === 'refused') set({ announcement: `Round ${position + 1} was refused.` })
        for (const warning of outcome.warnings) report(warning)
      }
      if (isFinished(state())) set({ announcement: 'Played to the end.' })
    })
  }

  const setPolicy = latestWins(async (asked: ContextPolicy) => {
    try {
      await state().conversation?.branch.setPolicy(asked)
      set({ policy: asked, policyProblem: null })
    } catch (error) {
      set({ policyProblem: problemOf(error) })
    }
  })

  return {
    store,
    openFile: (file) => {
      const progress = (loaded: number): Activity => ({
        type: 'reading',
        name: file.name,
        loaded,
        total: file.size,
      })
      return begin(progress(0), async (signal) => {
        const text = await readFile(file, {
          signal,
          onProgress: (loaded) => set({ activity: progress(loaded) }),
        })
        set({ activity: { type: 'opening', name: file.name } })
        await openText(file.name, text, signal)
      })
    },
    openText: (title, text) =>
      begin({ type: 'opening', name: title }, (signal) => openText(title, text, signal)),
    async reopen(branchId, title) {
      let found = false
      await begin({ type: 'opening', name: title }, async () => {
        found = await isStored(branchId)
        if (found) await show(title, await dogear.branch(branchId), null)
      })
      return found
    },
    play: () => playRounds(Number.POSITIVE_INFINITY),
    step: () => playRounds(1),
    pause() {
      pausing = true
      nap.abort()
    },
    stop() {
      work.stop()
      nap.abort()
      set({ announcement: 'Stopped.' })
    },
    startOver: () =>
      begin({ type: 'opening', name: state().conversation?.title ?? '' }, async () => {
        const { conversation } = state()
        if (!conversation) return
        const { title, branch, transcript } = conversation
        const inForce = branch.policy
        await branch.delete()
        await show(title, await dogear.branch(branch.id, { policy: inForce }), transcript)
      }),
    setPace(pace) {
      set({ pace })
      nap.abort()
    },
    setPolicy,
    dismiss: (problem) =>
      set(({ problems }) => ({ problems: problems.filter((listed) => listed !== problem) })),
  }
}
