import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { stackLabels, stackOrder } from '../parts.ts'

const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8')

/** The two values of a custom property, light and dark. */
function valuesOf(property: string): Readonly<Record<'light' | 'dark', string>> {
  const found = css.match(new RegExp(`--${property}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`))
  if (!found?.[1] || !found[2]) throw new Error(`theme.css must set --${property} for light and dark`)
  return { light: found[1], dark: found[2] }
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((left, right) => right - left)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

describe.each(['light', 'dark'] as const)('colours, %s', (theme) => {
  const surface = valuesOf('surface')[theme]

  it.each([...stackOrder])('tells %s from the surface', (name) => {
    expect(contrast(valuesOf(`part-${name}`)[theme], surface)).toBeGreaterThanOrEqual(3)
  })

  it.each(stackOrder.slice(1).map((name, at) => [stackOrder[at] ?? name, name] as const))(
    'tells %s from its neighbour %s by lightness',
    (below, above) => {
      const [one, other] = [valuesOf(`part-${below}`)[theme], valuesOf(`part-${above}`)[theme]]
      expect(contrast(one, other)).toBeGreaterThanOrEqual(3)
    },
  )

  it.each(['text', 'text-quiet', 'accent', 'bad', 'folded'])('lets %s be read on every surface', (name) => {
    for (const ground of ['surface', 'surface-raised', 'surface-chosen'])
      expect(contrast(valuesOf(name)[theme], valuesOf(ground)[theme])).toBeGreaterThanOrEqual(4.5)
  })

  it('shows the edges of controls', () => {
    expect(contrast(valuesOf('line-strong')[theme], surface)).toBeGreaterThanOrEqual(3)
  })
})

it('has a colour and a label for every part, and no more', () => {
  const named = [...css.matchAll(/--part-([a-z]+): light-dark/g)].map(([, name]) => name)
  expect(named.sort()).toEqual([...stackOrder].sort())
  expect(Object.keys(stackLabels).sort()).toEqual([...stackOrder].sort())
})
