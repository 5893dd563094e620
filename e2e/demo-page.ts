import { expect, type Locator, type Page } from '@playwright/test'

/** One row of the panel's table of requests. */
export interface RequestFacts {
  readonly number: number
  readonly before: number
  readonly tokens: number
  readonly outcome: string
}

export type Setting = 'Ceiling' | 'Fold line' | 'Fold target' | 'Body bound'

/** What a person does on the demo page, and what they see. */
export class DemoPage {
  readonly page: Page
  readonly player: Locator
  readonly panel: Locator
  readonly problems: Locator
  readonly conversation: Locator
  readonly chartFolds: Locator

  constructor(page: Page) {
    this.page = page
    this.player = page.getByRole('region', { name: 'Player' })
    this.panel = page.getByRole('region', { name: 'dogear' })
    this.problems = this.player.getByRole('list', { name: 'Problems' })
    this.conversation = this.player.getByRole('list', { name: 'Conversation' })
    this.chartFolds = this.panel.locator('.chart-fold-mark')
  }

  async open(): Promise<void> {
    await this.page.goto('player.html')
    await this.expectIdle()
  }

  async drop(name: string, text: string): Promise<void> {
    const data = await this.page.evaluateHandle(
      ([fileName, content]) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([content], fileName, { type: 'application/json' }))
        return transfer
      },
      [name, text] as const,
    )
    await this.page.dispatchEvent('body', 'dragover', { dataTransfer: data })
    await expect(this.page.getByText('Drop the transcript to open it')).toBeVisible()
    await this.page.dispatchEvent('body', 'drop', { dataTransfer: data })
  }

  async expectOpen(title: string): Promise<void> {
    await expect(this.player.getByRole('heading', { name: title })).toBeVisible()
    await this.expectIdle()
  }

  /** Nothing is under way. */
  async expectIdle(): Promise<void> {
    await expect(this.button('Stop')).toBeDisabled({ timeout: 60_000 })
  }

  setting(name: Setting): Locator {
    return this.player.getByRole('spinbutton', { name, exact: true })
  }

  async set(name: Setting, value: number): Promise<void> {
    await this.setting(name).fill(String(value))
    await this.setting(name).press('Enter')
  }

  async playAsFastAsPossible(): Promise<void> {
    const speed = this.player.getByRole('slider', { name: /^Speed/ })
    await speed.press('End')
    await expect(speed).toHaveAttribute('aria-valuetext', 'as fast as possible')
  }

  async playToEnd(): Promise<void> {
    await this.button(/^Play/).click()
    await expect(this.button('Play again')).toBeEnabled({ timeout: 90_000 })
  }

  async step(): Promise<void> {
    await this.button('Step').click()
    await this.expectIdle()
  }

  async startOver(): Promise<void> {
    await this.button('Start over').click()
    await expect(this.button('Start over')).toBeDisabled()
  }

  button(name: string | RegExp): Locator {
    return this.player.getByRole('button', { name, exact: true })
  }

  async openTab(name: 'Requests' | 'Messages' | 'Folds'): Promise<void> {
    await this.panel.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
  }

  /** The number that the tab carries. */
  async countOf(tab: 'Requests' | 'Folds'): Promise<number> {
    const name = await this.panel.getByRole('tab', { name: new RegExp(`^${tab}`) }).textContent()
    return Number(name?.replace(/\D*([\d,]+).*/s, '$1').replaceAll(',', ''))
  }

  /** All rows of the table of requests, once it has so many. The document holds only those in sight. */
  async requests(count: number): Promise<readonly RequestFacts[]> {
    await this.openTab('Requests')
    const grid = this.panel.getByRole('grid', { name: 'Requests', exact: true })
    await expect(grid).toHaveAttribute('aria-rowcount', String(count + 1))
    const rows = new Map<number, RequestFacts>()
    await grid.hover()
    await this.page.mouse.wheel(0, -1_000_000)
    await expect(async () => {
      for (const cells of await grid.getByRole('row').evaluateAll(readCells)) {
        const [number = 0, before = 0, tokens = 0] = cells.map((cell) => Number(cell.replaceAll(',', '')))
        if (number > 0) rows.set(number, { number, before, tokens, outcome: cells[3] ?? '' })
      }
      await this.page.mouse.wheel(0, 200)
      expect(rows.size).toBe(count)
    }).toPass({ intervals: [50], timeout: 30_000 })
    return [...rows.values()].sort((left, right) => left.number - right.number)
  }

  /** Chooses the message that begins with these words among those that are folded out. */
  async chooseFolded(begins: string): Promise<void> {
    await this.openTab('Messages')
    await this.panel.getByRole('button', { name: 'Out', exact: true }).click()
    await this.panel.getByRole('searchbox', { name: 'Search messages' }).fill(begins)
    await this.panel.getByRole('gridcell', { name: begins }).first().click()
  }

  /** Characters `from` to `to` of the chosen message. */
  async readRange(from: number, to: number): Promise<string> {
    const reader = this.panel.getByRole('region', { name: 'Read' })
    await reader.getByLabel('From').fill(String(from))
    await reader.getByLabel('to', { exact: true }).fill(String(to))
    await reader.getByRole('button', { name: 'Read', exact: true }).click()
    await expect(reader.getByRole('status')).toContainText(`${from.toLocaleString('en-US')}–`)
    return reader.locator('pre').evaluate((element) => element.textContent ?? '')
  }
}

/** Runs in the page. */
function readCells(rows: Element[]): string[][] {
  return rows.map((row) =>
    ['number', 'before', 'after', 'outcome'].map(
      (name) => row.querySelector(`.cell-${name}`)?.textContent ?? '',
    ),
  )
}
