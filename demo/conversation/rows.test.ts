import { expect, it } from 'vitest'
import type { MessagePreview } from '../../sdk/index.ts'
import type { RoundOutcome } from '../player/play-round.ts'
import { conversationRows } from './rows.ts'

const message = (index: number): MessagePreview => ({
  index,
  kind: 'answer',
  state: 'verbatim',
  preview: '',
  chars: 0,
  delivered: true,
})

const outcome = (round: number, entries: number): RoundOutcome => ({
  round,
  entries,
  result: { type: 'refused', problem: { type: 'error', code: 'input_ceiling_exceeded', message: '' } },
  warnings: [],
})

it('puts the mark of a round behind the last entry that it brought', () => {
  const rows = conversationRows(
    [message(3), message(4), message(5)],
    [outcome(0, 2), outcome(1, 4), outcome(2, 6), outcome(3, 6), outcome(4, 9)],
  )
  const seen = rows.map((row) => (row.type === 'message' ? row.message.index : `round ${row.outcome.round}`))
  expect(seen).toEqual([3, 'round 1', 4, 5, 'round 2', 'round 3'])
})
