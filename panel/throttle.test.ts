import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { throttle } from './throttle.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})

afterEach(() => vi.useRealTimers())

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

it('runs at once, and then no more than once per interval', async () => {
  const task = vi.fn()
  const throttled = throttle(task, 100)
  await wait(1_000)
  throttled.request()
  throttled.request()
  await wait(0)
  expect(task).toHaveBeenCalledTimes(1)
  throttled.request()
  await wait(99)
  expect(task).toHaveBeenCalledTimes(1)
  await wait(1)
  expect(task).toHaveBeenCalledTimes(2)
  await wait(1_000)
  expect(task).toHaveBeenCalledTimes(2)
})

it('never runs twice at a time, and once more for what was asked meanwhile', async () => {
  let running = 0
  let most = 0
  const task = vi.fn(async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 500))
    running -= 1
  })
  const throttled = throttle(task, 100)
  throttled.request()
  await wait(200)
  throttled.request()
  throttled.request()
  await wait(2_000)
  expect(task).toHaveBeenCalledTimes(2)
  expect(most).toBe(1)
})

it('does not run after it was cancelled, whether asked before, meanwhile or later', async () => {
  const task = vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, 500)))
  const throttled = throttle(task, 100)
  throttled.request()
  await wait(200)
  throttled.request()
  throttled.cancel()
  throttled.request()
  await wait(2_000)
  expect(task).toHaveBeenCalledTimes(1)
  expect(vi.getTimerCount()).toBe(0)
})
