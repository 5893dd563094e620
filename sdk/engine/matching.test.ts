import { describe, expect, it } from 'vitest'
import { knownMessage as message } from '../testing/known-message.ts'
import { withNote } from '../testing/made-entries.ts'
import { seededRandom } from '../testing/random.ts'
import { appendMessages } from './append.ts'
import { forkLine } from './fork.ts'
import type { KnownMessage } from './intake.ts'
import { matchList } from './matching.ts'
import { messageOrder, placeList } from './place.ts'
import { emptyLine, type Line } from './record.ts'
import { moveWindow } from './view.ts'

const chat = [
  message('u', 'task'),
  message('ac', 'one'),
  message('r', 'one'),
  message('a', 'said'),
  message('u', 'more'),
  message('a', 'done'),
]

function lineOf(messages: readonly KnownMessage[], id = 'line'): Line {
  return appendMessages(emptyLine(id), messages)
}

describe('matchList', () => {
  const line = lineOf(chat)
  const edit = message('u', 'other')
  const repeats = (
    type: 'extends' | 'rewinds' | 'forks',
    from: number,
    to: number,
    knownMessages: number,
  ) => ({
    type,
    window: { from, to },
    knownMessages,
  })

  it('knows the whole list, and what is new in it', () => {
    expect(matchList(line, chat)).toEqual(repeats('extends', 0, 7, 6))
    expect(matchList(line, [...chat, message('u', 'new')])).toEqual(repeats('extends', 0, 7, 6))
    expect(matchList(emptyLine('new'), chat)).toEqual(repeats('extends', 0, 0, 0))
  })

  it('takes a beginning of the record for a line that moved back', () => {
    expect(matchList(line, chat.slice(0, 3))).toEqual(repeats('rewinds', 0, 4, 3))
  })

  it('takes an end of the record for a front that the app cut', () => {
    expect(matchList(line, chat.slice(3))).toEqual(repeats('extends', 4, 7, 3))
    expect(matchList(line, [...chat.slice(4), message('u', 'new')])).toEqual(repeats('extends', 5, 7, 2))
    expect(matchList(line, chat.slice(5))).toEqual(repeats('extends', 6, 7, 1))
  })

  it('takes an end for an end where it begins as the record does too', () => {
    const ask = message('u', 'go on')
    const repeated = lineOf([ask, message('a', 'one'), ask, message('a', 'two'), ask])
    expect(matchList(repeated, [ask, message('a', 'two'), ask])).toEqual(repeats('extends', 2, 5, 3))
    expect(matchList(repeated, [ask])).toEqual(repeats('rewinds', 0, 1, 1))
    expect(matchList(repeated, [ask, edit])).toEqual(repeats('forks', 0, 1, 1))
  })

  it('does not take one short message at the end for the same conversation', () => {
    expect(matchList(line, [message('a', 'done'), message('u', 'new')])).toEqual({ type: 'foreign' })
    expect(matchList(line, [message('u', 'title')])).toEqual({ type: 'foreign' })
  })

  it('forks at the message that differs, even where it differs in its last part only', () => {
    expect(matchList(line, [...chat.slice(0, 4), edit])).toEqual(repeats('forks', 0, 5, 4))
    expect(matchList(line, [chat[0] as KnownMessage, message('acc', 'one')])).toEqual(
      repeats('forks', 0, 1, 1),
    )
  })

  it('does not take messages for the same that were split or merged since', () => {
    const whole = message('ac', 'one')
    const part = (from: number, to: number): KnownMessage => ({
      ...whole,
      reading: { drafts: whole.reading.drafts.slice(from, to), segments: [] },
      keys: whole.keys.slice(from, to),
    })
    const task = message('u', 'task')
    const forks = repeats('forks', 0, 1, 1)
    expect(matchList(lineOf([task, whole]), [task, part(0, 1), part(1, 2)])).toEqual(forks)
    expect(matchList(lineOf([task, part(0, 1), part(1, 2)]), [task, whole])).toEqual(forks)
    expect(matchList(lineOf([task, whole]), [part(1, 2)])).toEqual({ type: 'foreign' })
    expect(matchList(lineOf([task, whole]), [task, { ...whole, keys: [whole.keys[0] ?? '', '-'] }])).toEqual(
      forks,
    )
  })

  it('takes neither an empty list nor one from the middle for a front that was cut', () => {
    expect(matchList(line, [])).toEqual({ type: 'foreign' })
    expect(matchList({ ...line, window: { from: 7, to: 7 } }, [])).toEqual({ type: 'foreign' })
    expect(matchList(line, [...chat.slice(1, 3), edit])).toEqual({ type: 'foreign' })
  })

  it('forks at a message that grew after it was recorded', () => {
    const short = lineOf([message('u', 'task'), message('a', 'one')])
    expect(matchList(short, [message('u', 'task'), message('ac', 'one')])).toEqual(repeats('forks', 0, 1, 1))
  })

  describe('after the app has cut its front', () => {
    const cut = moveWindow(line, { from: 1, to: 7 })

    it('goes on, moves back and forks where the list before it began', () => {
      const list = chat.slice(1)
      expect(matchList(cut, [...list, edit])).toEqual(repeats('extends', 1, 7, 5))
      expect(matchList(cut, list.slice(0, 3))).toEqual(repeats('rewinds', 1, 5, 3))
      expect(matchList(cut, [...list.slice(0, 4), edit])).toEqual(repeats('forks', 1, 6, 4))
      expect(matchList(cut, [edit])).toEqual({ type: 'foreign' })
    })

    it('knows a single message at the end that the list before it held alone', () => {
      const last = moveWindow(line, { from: 6, to: 7 })
      expect(matchList(last, [...chat.slice(5), edit])).toEqual(repeats('extends', 6, 7, 1))
    })

    it('knows a front that is there again, and one that is cut further', () => {
      expect(matchList(cut, chat)).toEqual(repeats('extends', 0, 7, 6))
      expect(matchList(cut, [...chat.slice(0, 5), edit])).toEqual(repeats('forks', 0, 6, 5))
      expect(matchList(cut, chat.slice(3))).toEqual(repeats('extends', 4, 7, 3))
    })

    it('begins where the list before it began where it could begin at the front as well', () => {
      const ask = message('u', 'go on')
      const said = message('a', 'said')
      const repeated = moveWindow(lineOf([ask, said, ask, said, chat[5] as KnownMessage]), { from: 2, to: 5 })
      expect(matchList(repeated, [ask, said, edit])).toEqual(repeats('forks', 2, 4, 2))
    })
  })
})

describe('a line', () => {
  it('[R69] takes what is new into its view', () => {
    const line = lineOf(chat.slice(0, 2))
    expect(appendMessages(line, chat.slice(2)).view).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('[R86] counts what stands before its newest answer as read when the list comes whole', () => {
    const line = lineOf(chat.slice(0, 4))
    expect([...line.delivered]).toEqual([0, 1, 2, 3])
  })

  it('[R81] counts what a request carried as read once an answer follows it', () => {
    const asked = { ...lineOf(chat.slice(0, 3)), carried: [0, 1, 2, 3] }
    expect([...asked.delivered]).toEqual([0])
    expect([...appendMessages(asked, chat.slice(3, 4)).delivered].sort()).toEqual([0, 1, 2, 3])
    expect([...appendMessages(asked, [message('u', 'again')]).delivered]).toEqual([0])
  })

  it('names a round by its answer, and gives a result to the newest call of its id', () => {
    const line = lineOf([...chat.slice(0, 3), message('ac', 'one'), message('r', 'one')])
    expect(line.record.map((entry) => entry.round)).toEqual([-1, 1, 1, 1, 4, 4, 4])
  })

  it('tells two equal messages apart', () => {
    const line = lineOf([message('u', 'ok'), message('u', 'ok')])
    expect(line.record.map((entry) => entry.source?.first)).toEqual([0, 1])
  })
})

describe('moving the window', () => {
  const folded = withNote(lineOf(chat), { members: [2, 3] })

  it('takes a note along with what it stands for', () => {
    expect(moveWindow(folded, { from: 0, to: 4 }).view).toEqual([0, 1, 7])
    expect(moveWindow(folded, { from: 5, to: 7 }).view).toEqual([5, 6])
  })

  it('gives back what the list still holds of a note that it was moved back into', () => {
    expect(moveWindow(folded, { from: 0, to: 3 }).view).toEqual([0, 1, 2])
  })

  it('gives back only what is not there already of a note that was restored in part', () => {
    const partly = { ...folded, view: [0, 1, 7, 3, 4, 5, 6] }
    expect(moveWindow(partly, { from: 0, to: 4 }).view).toEqual([0, 1, 7, 3])
    const wider = withNote(lineOf(chat), { members: [2, 3, 4] })
    const restored = { ...wider, view: [0, 1, 7, 3, 5, 6] }
    expect(moveWindow(restored, { from: 0, to: 4 }).view).toEqual([0, 1, 2, 3])
  })

  it('keeps a note whose first members were cut away, and takes nothing back', () => {
    expect(moveWindow(folded, { from: 3, to: 7 }).view).toEqual([7, 4, 5, 6])
  })

  it('brings entries back to their places when the list holds them again', () => {
    const back = moveWindow(folded, { from: 0, to: 2 })
    expect(moveWindow(back, { from: 0, to: 7 }).view).toEqual([0, 1, 2, 3, 4, 5, 6])
  })
})

describe('a fork', () => {
  it('keeps the indexes of the common part and none of the rest', () => {
    const child = forkLine(lineOf(chat), { id: 'child', window: { from: 0, to: 5 } })
    expect(child).toMatchObject({
      parent: { lineId: 'line', index: 5 },
      view: [0, 1, 2, 3, 4],
      window: { from: 0, to: 5 },
    })
    expect(child.record).toHaveLength(5)
  })

  it('takes a note along whose members are all common, under an index of its own', () => {
    const child = forkLine(withNote(lineOf(chat), { members: [2, 3] }), {
      id: 'child',
      window: { from: 0, to: 5 },
    })
    expect(child.view).toEqual([0, 1, 5, 4])
    expect(child.record[5]).toMatchObject({ index: 5, kind: 'note', note: { members: [2, 3] } })
  })

  it('gives the common entries of any other note back', () => {
    const child = forkLine(withNote(lineOf(chat), { members: [3, 4, 5] }), {
      id: 'child',
      window: { from: 0, to: 4 },
    })
    expect(child.view).toEqual([0, 1, 2, 3])
  })

  it('keeps a front out of the view that the app had cut, or has it again with the list', () => {
    const cut = moveWindow(lineOf(chat), { from: 5, to: 7 })
    expect(cut.view).toEqual([5, 6])
    const shorter = forkLine(cut, { id: 'child', window: { from: 5, to: 6 } })
    expect(shorter).toMatchObject({ view: [5], window: { from: 5, to: 6 } })
    expect(shorter.record).toHaveLength(6)
    const child = forkLine(cut, { id: 'child', window: { from: 0, to: 6 } })
    expect(child).toMatchObject({ view: [0, 1, 2, 3, 4, 5], window: { from: 0, to: 6 } })
  })

  it('[R81] keeps what the last request carried, so that an answer on the new line delivers it', () => {
    const parent = { ...lineOf(chat.slice(0, 3)), delivered: new Set([0]), carried: [0, 1, 2, 3] }
    const child = forkLine(appendMessages(parent, [message('u', 'other')]), {
      id: 'child',
      window: { from: 0, to: 4 },
    })
    expect([...appendMessages(child, [message('a', 'now')]).delivered].sort()).toEqual([0, 1, 2, 3])
  })

  it('[R68] leaves the parent as it was', () => {
    const parent = withNote(lineOf(chat), { members: [2, 3] })
    const before = structuredClone({ ...parent, delivered: [...parent.delivered] })
    forkLine(parent, { id: 'child', window: { from: 0, to: 3 } })
    expect({ ...parent, delivered: [...parent.delivered] }).toEqual(before)
  })
})

describe('placeList', () => {
  for (const seed of [1, 2, 3, 4, 5])
    it(`always ends with the app's own list in the window, in its order, seed ${seed}`, () => {
      const random = seededRandom(seed)
      let lines: Line[] = [emptyLine('0')]
      let list: KnownMessage[] = []
      for (let step = 0; step < 60; step++) {
        const choice = random.next()
        if (choice < 0.6 || list.length < 2)
          list = [...list, message(random.pick(['u', 'a', 'ac', 'r']), `m${random.integer(0, 9)}`)]
        else if (choice < 0.7) list = list.slice(0, random.integer(1, list.length))
        else if (choice < 0.8) list = list.slice(random.integer(0, list.length - 2))
        else list = [...list.slice(0, random.integer(1, list.length)), message('u', `edit${step}`)]
        const placed = placeList({ lines, messages: list, system: null, newLineId: `line${step}` })
        if (placed.type === 'foreign') {
          for (const { record, window } of lines)
            expect(list[0]?.hash).not.toBe(record[window.from]?.source?.hash)
          list = []
          continue
        }
        const { line } = placed
        const order = messageOrder(line, list)
        expect(order.map((first) => line.record[first]?.source?.hash)).toEqual(list.map(({ hash }) => hash))
        expect(line.view).toEqual(
          order.flatMap((first, position) => (list[position]?.keys ?? []).map((_, draft) => first + draft)),
        )
        lines = [line, ...lines.filter((other) => other.id !== line.id)]
      }
    })
})
