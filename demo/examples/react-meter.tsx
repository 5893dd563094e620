import type { Dogear } from '../../sdk/index.ts'
import { useBranch, useContextMeter, useFolds } from '../../sdk/react.ts'

interface ContextLineProps {
  /** Made once, beside the app: `createDogear({ policy: { maxInputTokens: 64_000 } })`. */
  readonly dogear: Dogear
  /** Null before the chat has one. */
  readonly chatId: string | null
}

/** What a chat shows beside its composer: how full the context is, and the way back from the newest fold. */
export function ContextLine({ dogear, chatId }: ContextLineProps) {
  const { branch, error } = useBranch(dogear, chatId)
  const meter = useContextMeter(branch)
  const [newest] = useFolds(branch)

  if (error) return <p role="alert">{error.message}</p>
  if (meter === null) return <p>The size is known with the first message.</p>
  const { after, ceiling, line, share } = meter
  return (
    <p>
      {ceiling === null || share === null ? (
        `${tokens.format(after)} tokens`
      ) : (
        <>
          <meter value={after} max={ceiling} high={line ?? ceiling} aria-label="Context" />
          {` ${percent.format(share)} of ${tokens.format(ceiling)} tokens`}
        </>
      )}
      {newest && (
        <button type="button" onClick={() => branch?.restoreFold(newest.id)}>
          Bring back what was folded last
        </button>
      )}
    </p>
  )
}

const tokens = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const percent = new Intl.NumberFormat('en', { style: 'percent' })
