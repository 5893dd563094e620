import { describe, expect, it } from 'vitest'
import { createBreathing } from './breathing.ts'

/** A page whose clock stands still but while another task runs. */
function pageThatBreathes() {
  const page = { time: 1000, tasks: 0 }
  const breathe = createBreathing({
    now: () => page.time,
    nextTask: async () => {
      page.tasks++
      page.time += 100
    },
  })
  return { page, breathe }
}

describe('breathing', () => {
  it('gives the page a task before any work, for nobody knows for how long it has waited', async () => {
    const { page, breathe } = pageThatBreathes()
    await breathe()
    expect(page.tasks).toBe(1)
  })

  it('lets dogear work for a few milliseconds, and not for longer', async () => {
    const { page, breathe } = pageThatBreathes()
    await breathe()
    page.time += 4
    expect(breathe()).toBeUndefined()
    page.time += 1
    await breathe()
    expect(page.tasks).toBe(2)
    page.time += 4
    expect(breathe()).toBeUndefined()
  })
})
