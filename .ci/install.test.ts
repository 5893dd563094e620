import { describe, expect, it } from 'vitest'
import { isSupportedNode, missingPackages } from './install.mjs'

describe('missingPackages', () => {
  const locked = {
    packages: {
      '': { version: '0.1.0' },
      'node_modules/idb': { version: '8.0.4' },
      'node_modules/vite/node_modules/@scope/tool': { version: '1.2.3' },
      'node_modules/only-for-windows': { version: '1.0.0', optional: true },
    },
  }

  it('names everything where nothing is installed', () => {
    expect(missingPackages(locked, {})).toEqual(['idb', '@scope/tool'])
  })

  it('names a package of another version', () => {
    const installed = { packages: { ...locked.packages, 'node_modules/idb': { version: '8.0.3' } } }
    expect(missingPackages(locked, installed)).toEqual(['idb'])
  })

  it('is content without the builds for other platforms', () => {
    const { 'node_modules/only-for-windows': _, ...installed } = locked.packages
    expect(missingPackages(locked, { packages: installed })).toEqual([])
  })
})

describe('isSupportedNode', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '100.0.0'])('accepts %s', (version) => {
    expect(isSupportedNode(version)).toBe(true)
  })

  it.each(['20.18.9', '18.20.0', '9.99.0'])('rejects %s', (version) => {
    expect(isSupportedNode(version)).toBe(false)
  })
})
