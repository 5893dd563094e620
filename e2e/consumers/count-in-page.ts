import type { Page } from '@playwright/test'

/** What the app of the fixtures puts on its page: the part of `dogear/tokenizer` that is used here. */
interface Exports {
  createTokenizer(): {
    readonly exact: boolean
    count(texts: readonly string[]): Promise<readonly number[]>
    onProgress(listener: (progress: { phase: string; engine: string }) => void): void
    onFallback(listener: (fallback: { from: string; to: string }) => void): void
    close(): Promise<void>
  }
  loadTokenizer(): Promise<{ count(text: string): number; dispose(): void }>
}

declare global {
  interface Window {
    readonly dogear: Exports
  }
}

export interface Counted {
  readonly before: readonly number[]
  /** Counted after WASM was built, or was found to be impossible. */
  readonly after: readonly number[]
  readonly here: readonly number[]
  readonly fallbacks: readonly string[]
  readonly wasm: 'ready' | 'blocked' | 'not wanted'
  readonly exact: boolean
}

/** Counts the texts with the page's tokenizer and on the page's own thread. */
export async function countInPage(page: Page, texts: readonly string[]): Promise<Counted> {
  await page.waitForFunction(() => 'dogear' in window)
  return await page.evaluate(async (texts) => {
    const tokenizer = window.dogear.createTokenizer()
    const fallbacks: string[] = []
    tokenizer.onFallback(({ from, to }) => fallbacks.push(`${from} to ${to}`))
    const settled = new Promise<Counted['wasm']>((resolve) => {
      tokenizer.onProgress(({ phase, engine }) => {
        if (phase === 'ready' && engine === 'wasm') resolve('ready')
      })
      tokenizer.onFallback(({ from }) => {
        if (from === 'wasm') resolve('blocked')
        if (from === 'worker') resolve('not wanted')
      })
    })
    const before = await tokenizer.count(texts)
    const wasm = await settled
    const after = await tokenizer.count(texts)
    const counter = await window.dogear.loadTokenizer()
    const here = texts.map((text) => counter.count(text))
    counter.dispose()
    return { before, after, here, fallbacks, wasm, exact: tokenizer.exact }
  }, texts)
}
