import { useId, useState } from 'react'
import type { ContextPolicy } from '../../sdk/index.ts'
import type { Problem } from '../player/problem.ts'
import { Dial } from './Dial.tsx'
import { formOf, type PolicyForm, policyOf, proposedBound } from './policy-form.ts'

const ceilings = { low: 1_000, high: 1_000_000 }
const shares = { low: 5, high: 100 }
const bounds = { low: 1_024, high: 100_000 }

export interface PolicyControlsProps {
  /** In force now. */
  readonly policy: ContextPolicy
  /** Why what was asked for last is not in force. */
  readonly problem: Problem | null
  readonly onChange: (policy: ContextPolicy) => void
}

/** Settings of the branch. What the SDK refuses stays on show, marked, with the SDK's own sentence. */
export function PolicyControls({ policy, problem, onChange }: PolicyControlsProps) {
  const sentence = useId()
  const [asked, setAsked] = useState<PolicyForm>(() => formOf(policy))

  function change(part: Partial<PolicyForm>): void {
    const next = { ...asked, ...part }
    setAsked(next)
    onChange(policyOf(next))
  }

  const dial = (setting: keyof ContextPolicy) => ({
    invalid: problem?.path === `policy.${setting}`,
    describedBy: sentence,
  })
  return (
    <section className="policy" aria-label="Settings">
      <Dial
        {...dial('maxInputTokens')}
        label="Ceiling"
        unit="tokens"
        value={asked.ceiling}
        scale={ceilings}
        onChange={(ceiling) => change({ ceiling })}
      />
      <Dial
        {...dial('contextFoldAt')}
        label="Fold line"
        unit="%"
        value={asked.line}
        scale={shares}
        step={1}
        onChange={(line) => change({ line })}
      />
      <Dial
        {...dial('contextFoldTarget')}
        label="Fold target"
        unit="%"
        value={asked.target}
        scale={shares}
        step={1}
        onChange={(target) => change({ target })}
      />
      <Dial
        {...dial('toolResultMaxChars')}
        label="Body bound"
        unit="chars"
        value={asked.bound ?? proposedBound}
        scale={bounds}
        toggle={{
          on: asked.bound !== null,
          onChange: (on) => change({ bound: on ? proposedBound : null }),
        }}
        onChange={(bound) => change({ bound })}
      />
      <p id={sentence} className={problem ? 'bad' : 'quiet'} role="status">
        {problem ? `${problem.message} (${problem.code})` : 'Changes are in force from the next round.'}
      </p>
    </section>
  )
}
