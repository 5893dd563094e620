import { useEffect, useId, useRef, useState } from 'react'
import { type LogScale, logSteps, positionOf, valueAt } from './log-scale.ts'

export interface DialProps {
  readonly label: string
  readonly unit: string
  readonly value: number
  /** What the slider spans; the number may be anything, and the SDK judges it. */
  readonly scale: LogScale
  /** Absent: the slider is logarithmic. */
  readonly step?: number
  readonly invalid: boolean
  readonly describedBy: string
  /** For a setting that may be off: whether it is on, and how to change that. */
  readonly toggle?: { readonly on: boolean; readonly onChange: (on: boolean) => void }
  readonly onChange: (value: number) => void
}

/** One setting as a slider, which acts while it is dragged, and a number, which acts when it is complete. */
export function Dial({ label, unit, value, scale, step, invalid, describedBy, toggle, onChange }: DialProps) {
  const id = useId()
  const disabled = toggle?.on === false
  const slider =
    step === undefined
      ? { min: 0, max: logSteps, step: 1, value: positionOf(value, scale) }
      : { min: scale.low, max: scale.high, step, value }
  return (
    <div className="dial">
      <span className="dial-name">
        {toggle && (
          <input
            type="checkbox"
            aria-label={`${label}, on`}
            checked={toggle.on}
            onChange={({ target }) => toggle.onChange(target.checked)}
          />
        )}
        <label htmlFor={id}>{label}</label>
      </span>
      <input
        type="range"
        aria-label={`${label}, slider`}
        aria-valuetext={`${value.toLocaleString('en-US')} ${unit}`}
        disabled={disabled}
        {...slider}
        onChange={({ target }) =>
          onChange(step === undefined ? valueAt(target.valueAsNumber, scale) : target.valueAsNumber)
        }
      />
      <NumberField
        id={id}
        value={value}
        invalid={invalid}
        describedBy={describedBy}
        disabled={disabled}
        onChange={onChange}
      />
      <span className="dial-unit quiet">{unit}</span>
    </div>
  )
}

interface NumberFieldProps {
  readonly id: string
  readonly value: number
  readonly invalid: boolean
  readonly describedBy: string
  readonly disabled: boolean
  readonly onChange: (value: number) => void
}

function NumberField({ id, value, invalid, describedBy, disabled, onChange }: NumberFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(null)

  // The browser's own change event: at the end of typing, and at every step of the arrows.
  useEffect(() => {
    const element = field.current
    if (!element) return
    const commit = () => {
      onChange(element.valueAsNumber)
      setTyped(null)
    }
    element.addEventListener('change', commit)
    return () => element.removeEventListener('change', commit)
  }, [onChange])

  return (
    <input
      ref={field}
      id={id}
      type="number"
      inputMode="decimal"
      step="any"
      value={typed ?? (Number.isNaN(value) ? '' : value)}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      disabled={disabled}
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}
