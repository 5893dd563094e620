import { expect, it } from 'vitest'
import { latestWins } from './latest-wins.ts'

it('runs one value at a time, and of those that came meanwhile the latest', async () => {
  const log: string[] = []
  const run = latestWins(async (value: string) => {
    log.push(`${value} begins`)
    await new Promise((resolve) => setTimeout(resolve, 1))
    log.push(`${value} ends`)
  })
  await Promise.all(['a', 'b', 'c', 'd'].map(run))
  expect(log).toEqual(['a begins', 'a ends', 'd begins', 'd ends'])
  await run('e')
  expect(log.slice(4)).toEqual(['e begins', 'e ends'])
})
