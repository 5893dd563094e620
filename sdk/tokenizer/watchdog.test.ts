import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Watchdog } from './watchdog.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function watchdog(extraTicks?: () => number) {
  const onSilence = vi.fn()
  const patience = { ticks: 3, tickMs: 100 }
  return { onSilence, dog: new Watchdog({ patience, onSilence, ...(extraTicks ? { extraTicks } : {}) }) }
}

it('calls once, after more ticks of silence than it has patience for', () => {
  const { dog, onSilence } = watchdog()
  dog.watch()
  dog.watch()
  vi.advanceTimersByTime(300)
  expect(onSilence).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(onSilence).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(1000)
  expect(onSilence).toHaveBeenCalledOnce()
})

it('counts from the last sign of life', () => {
  const { dog, onSilence } = watchdog()
  dog.watch()
  for (let i = 0; i < 10; i++) {
    vi.advanceTimersByTime(300)
    dog.heard()
  }
  expect(onSilence).not.toHaveBeenCalled()
  vi.advanceTimersByTime(400)
  expect(onSilence).toHaveBeenCalledOnce()
})

it('is more patient while there is reason to be', () => {
  let extra = 5
  const { dog, onSilence } = watchdog(() => extra)
  dog.watch()
  vi.advanceTimersByTime(800)
  expect(onSilence).not.toHaveBeenCalled()
  extra = 0
  vi.advanceTimersByTime(100)
  expect(onSilence).toHaveBeenCalledOnce()
})

it('watches nothing after it was stopped, and starts anew', () => {
  const { dog, onSilence } = watchdog()
  dog.watch()
  vi.advanceTimersByTime(300)
  dog.stop()
  vi.advanceTimersByTime(1000)
  dog.watch()
  vi.advanceTimersByTime(300)
  expect(onSilence).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(1)
  dog.stop()
  expect(vi.getTimerCount()).toBe(0)
})
