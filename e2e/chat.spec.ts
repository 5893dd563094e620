import { expect, type Locator, type Page, test } from '@playwright/test'

/** The page on which a model works under a ceiling. */
class ChatPage {
  readonly page: Page
  readonly answer: Locator
  readonly problem: Locator
  readonly panel: Locator

  constructor(page: Page) {
    this.page = page
    this.answer = page.getByRole('region', { name: 'Newest answer' })
    this.problem = page.getByRole('alert')
    this.panel = page.getByRole('region', { name: 'dogear' })
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  async open(): Promise<void> {
    await this.page.goto('./')
    await expect(this.panel).toBeVisible()
  }

  async ceiling(tokens: number): Promise<void> {
    const field = this.page.getByRole('spinbutton', { name: 'Ceiling' })
    await field.fill(String(tokens))
    await field.press('Enter')
  }

  async endOfTask(): Promise<string> {
    await this.button('Send').click()
    await expect(this.button('Stop')).toBeVisible()
    await expect(this.button('Send')).toBeVisible({ timeout: 90_000 })
    return (await this.answer.textContent()) ?? ''
  }
}

/** What the documents come to, by what the answer itself says of each. */
function sumOf(answer: string): number {
  return [...answer.matchAll(/(\d{7}) in (\d+) copies/g)].reduce(
    (sum, [, code, copies]) => sum + Number(code) * Number(copies),
    0,
  )
}

test('a model does its task through several folds, and says exactly what was folded long before', async ({
  page,
}) => {
  const chat = new ChatPage(page)
  await chat.open()
  const answer = await chat.endOfTask()
  expect(answer.match(/\d{7} in/g)).toHaveLength(3)
  expect(answer).toContain(`together they add up to ${sumOf(answer)}.`)
  await expect(chat.problem).toHaveCount(0)
  await expect(chat.panel.getByRole('tab', { name: /^Folds/ })).toHaveText(/Folds\s*[1-9]/)
})

test('without its context tool the same model cannot know any more', async ({ page }) => {
  const chat = new ChatPage(page)
  await chat.open()
  await page.getByLabel('has the context tool').uncheck()
  expect(await chat.endOfTask()).toBe('The codes are not known any more.')
})

test('a window that the provider enforces ends no chat', async ({ page }) => {
  const chat = new ChatPage(page)
  await chat.open()
  await chat.ceiling(1_000_000)
  await page
    .getByLabel('Model')
    .selectOption({ label: 'played here: takes 6,000 tokens and rejects what is longer' })
  const answer = await chat.endOfTask()
  await expect(chat.problem).toHaveCount(0)
  expect(answer).toContain(`together they add up to ${sumOf(answer)}.`)
  await chat.panel.getByRole('tab', { name: /^Folds/ }).click()
  await expect(chat.panel.getByText(/the provider said that the request was too long/).first()).toBeVisible()
})

test('an answer can be stopped, the ceiling changed, and another chat begun', async ({ page }) => {
  const chat = new ChatPage(page)
  await chat.open()
  await chat.button('Send').click()
  await expect(chat.panel.getByRole('tab', { name: /^Requests/ })).toHaveText(/Requests\s*[3-9]/)
  await chat.button('Stop').click()
  await expect(chat.button('Send')).toBeVisible()
  await expect(chat.problem).toHaveCount(0)
  await chat.ceiling(2_000)
  await chat.button('New chat').click()
  await expect(chat.panel.getByRole('tab', { name: /^Requests/ })).not.toHaveText(/[1-9]/)
  await expect(page.getByLabel('Message')).toHaveValue(/List the documents/)
})

test('a key is nowhere but in its field', async ({ page }) => {
  const chat = new ChatPage(page)
  await chat.open()
  await page.getByLabel('Model').selectOption('a server of yours')
  await page.getByLabel('Base URL').fill('https://nowhere.invalid/v1')
  await page.getByRole('textbox', { name: 'Key' }).fill('sk-secret-of-this-test')
  await chat.button('Send').click()
  await expect(chat.problem).toBeVisible({ timeout: 30_000 })
  expect(await page.content()).not.toContain('sk-secret-of-this-test')
  const stored = await page.evaluate(async () => {
    const databases = await indexedDB.databases()
    const texts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)]
    for (const { name = '' } of databases) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
      for (const store of database.objectStoreNames) {
        const reading = database.transaction(store).objectStore(store).getAll()
        texts.push(
          await new Promise<string>((resolve) => {
            reading.onsuccess = () => resolve(JSON.stringify(reading.result))
          }),
        )
      }
      database.close()
    }
    return texts.join()
  })
  expect(stored).toContain('List the documents')
  expect(stored).not.toContain('sk-secret')
})
