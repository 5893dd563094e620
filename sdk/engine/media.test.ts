import { describe, expect, it } from 'vitest'
import { audioSeconds, edgeTokens, patchTokens, pdfPages, tileTokens } from './media.ts'

describe('tileTokens', () => {
  const rates = { base: 85, tile: 170 }

  it.each([
    [1_024, 1_024, 765],
    [2_048, 4_096, 1_105],
    [512, 512, 255],
    [513, 512, 425],
    [4_096, 4_096, 765],
    [10_000, 100, 765],
  ])('bills an image of %d by %d', (width, height, tokens) => {
    expect(tileTokens({ width, height }, rates)).toBe(tokens)
  })

  it('takes an image of unknown size for the dearest there is', () => {
    const dearest = Math.max(
      ...[1, 500, 768, 1_365, 2_048, 5_000].flatMap((width) =>
        [1, 500, 768, 1_365, 2_048, 5_000].map((height) => tileTokens({ width, height }, rates)),
      ),
    )
    expect(tileTokens(null, rates)).toBe(dearest)
  })
})

describe('patchTokens', () => {
  it.each([
    [1_024, 1_024, 1_024],
    [1_800, 2_400, 1_452],
    [2_400, 1_800, 1_452],
    [1_505, 1_000, 1_536],
    [32, 33, 2],
    [8_000, 8_000, 1_521],
    [1, 1, 1],
  ])('bills an image of %d by %d', (width, height, patches) => {
    expect(patchTokens({ width, height }, { multiplier: 1, budget: 1_536 })).toBe(patches)
  })

  it('multiplies and rounds up', () => {
    expect(patchTokens({ width: 1_024, height: 1_024 }, { multiplier: 1.62, budget: 1_536 })).toBe(1_659)
    expect(patchTokens(null, { multiplier: 2.46, budget: 1_536 })).toBe(3_779)
  })

  it('never passes the budget', () => {
    for (let width = 1; width < 20_000; width += 997)
      for (let height = 1; height < 20_000; height += 991)
        expect(patchTokens({ width, height }, { multiplier: 1, budget: 1_536 })).toBeLessThanOrEqual(1_536)
  })
})

describe('edgeTokens', () => {
  const standard = { longEdge: 1_568, budget: 1_568 }

  it.each([
    [128, 128, 25],
    [166, 282, 66],
    [1_092, 1_092, 1_521],
    [3_136, 280, 280],
    [1_932, 621, 56 * 18],
    [4_000, 4_000, 1_568],
  ])('bills an image of %d by %d', (width, height, tokens) => {
    expect(edgeTokens({ width, height }, standard)).toBe(tokens)
  })

  it('reads finer where the model does', () => {
    const fine = { longEdge: 2_576, budget: 4_784 }
    expect(edgeTokens({ width: 2_576, height: 1_400 }, fine)).toBe(4_600)
    expect(edgeTokens(null, fine)).toBe(4_784)
    expect(edgeTokens(null, standard)).toBe(1_568)
  })
})

describe('pdfPages', () => {
  it('grows with the size, from one page to the most that is taken', () => {
    expect(pdfPages('')).toBe(1)
    expect(pdfPages('A'.repeat(4 * 10_000))).toBe(2)
    expect(pdfPages('A'.repeat(40_000_000))).toBe(600)
  })
})

describe('audioSeconds', () => {
  function wav(header: string, bytesPerSecond: number): string {
    const samples = Buffer.alloc(96_000 * 2)
    samples.write(header, 'latin1')
    samples.writeUInt32LE(bytesPerSecond, 28)
    return samples.toString('base64')
  }

  it('is exact for WAV', () => {
    expect(audioSeconds(wav('RIFF____WAVEfmt ', 96_000))).toBe(2)
  })

  it('is the most that so many bytes can hold for all else', () => {
    expect(audioSeconds(Buffer.alloc(12_000, 1).toString('base64'))).toBe(3)
    for (const header of ['RIFX____WAVEfmt ', 'RIFF____AVI fmt ', 'RIFF____WAVELIST'])
      expect(audioSeconds(wav(header, 96_000))).toBe(48)
  })

  it('is the most for WAV that does not say its rate', () => {
    expect(audioSeconds(wav('RIFF____WAVEfmt ', 0))).toBe(48)
    expect(audioSeconds(Buffer.from('RIFF____WAVEfmt ____').toString('base64'))).toBe(20 / 4_000)
  })
})
