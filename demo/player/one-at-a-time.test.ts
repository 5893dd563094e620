import { expect, it } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

it('stops the task before, waits for its end, and reports nothing of it', async () => {
  const log: string[] = []
  const work = oneAtATime((error) => log.push(String(error)))
  const first = work.begin(async (signal) => {
    log.push('first')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    log.push('first is ending')
    await Promise.resolve()
    log.push('first has ended')
    throw new Error('stopped')
  })
  await Promise.resolve()
  const second = work.begin(async () => void log.push('second'))
  await Promise.all([first, second])
  expect(log).toEqual(['first', 'first is ending', 'first has ended', 'second'])
})

it('never begins a task that was overtaken while it waited', async () => {
  const log: string[] = []
  const work = oneAtATime(() => {})
  const tasks = ['first', 'second', 'third'].map((name) => work.begin(async () => void log.push(name)))
  await Promise.all(tasks)
  expect(log).toEqual(['third'])
})

it('reports a task that failed by itself, and goes on', async () => {
  const log: unknown[] = []
  const work = oneAtATime((error) => log.push(error))
  const failure = new Error('broken')
  await work.begin(() => Promise.reject(failure))
  await work.begin(async () => void log.push('next'))
  expect(log).toEqual([failure, 'next'])
})
