import { afterEach, expect, it, vi } from 'vitest'
import { remembered } from './remembered.ts'

const isText = (value: unknown) => typeof value === 'string'

afterEach(() => vi.unstubAllGlobals())

it('reads back what was written, and nothing that it does not know', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  const name = remembered('name', isText)
  expect(name.read()).toBeNull()
  name.write('Skarvøy')
  expect(name.read()).toBe('Skarvøy')
  kept.set('name', '{"broken')
  expect(name.read()).toBeNull()
  kept.set('name', '7')
  expect(name.read()).toBeNull()
})

it('does without where the browser keeps nothing', () => {
  vi.stubGlobal('localStorage', undefined)
  const name = remembered('name', isText)
  name.write('Skarvøy')
  expect(name.read()).toBeNull()
})
