/** What the suite uses of a test runner. The functions of Vitest and of Jest fit as they are. */
export interface TestRunner {
  describe(name: string, body: () => void): void
  it(name: string, body: () => Promise<void>): void
  beforeEach(body: () => Promise<void>): void
  afterEach(body: () => Promise<void>): void
  expect(value: unknown): Expectations & { readonly not: Expectations }
}

interface Expectations {
  toBe(expected: unknown): void
  toBeNull(): void
  toContain(expected: unknown): void
  toEqual(expected: unknown): void
  toHaveLength(expected: number): void
  toMatchObject(expected: object): void
}
