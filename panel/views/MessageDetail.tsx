import type { MessagePreview } from '../../sdk/branch.ts'
import { formatNumber } from '../format.ts'
import { RangeReader } from './RangeReader.tsx'
import { RestoreButton } from './RestoreButton.tsx'

/** One entry: where it stands, the way back for one that is out, and its text by range. */
export function MessageDetail({ entry }: { readonly entry: MessagePreview }) {
  const { index, kind, name, state, chars, foldId, delivered } = entry
  return (
    <article className="detail">
      <h2>
        <span className="quiet">#{index}</span> {kind}
        {name === undefined ? '' : ` · ${name}`}
      </h2>
      <p>
        {stateSentence(entry)}{' '}
        <span className="quiet">
          {formatNumber(chars)} characters{delivered ? ', read by the model' : ', not yet read by the model'}.
        </span>
      </p>
      {(state === 'out' || state === 'clipped') && (
        <div className="actions">
          <RestoreButton command={{ type: 'restore', start: index, end: index + 1 }} label="Restore" />
          {foldId !== undefined && (
            <RestoreButton command={{ type: 'restore-fold', foldId }} label="Restore the whole fold" />
          )}
        </div>
      )}
      <RangeReader index={index} />
    </article>
  )
}

function stateSentence({ state, foldId }: MessagePreview): string {
  if (state === 'verbatim') return 'Stands in the next request, word for word.'
  if (state === 'clipped') return 'Stands in the next request, shortened; the original is kept.'
  if (state === 'note') return 'Stands in the next request for the entries that were folded.'
  if (foldId !== undefined) return 'Folded out of the next request; the original is kept.'
  return 'Not in the next request; the original is kept.'
}
