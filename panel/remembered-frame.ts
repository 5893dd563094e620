/** What the floating panel was when it was used last. */
export interface RememberedFrame {
  readonly isOpen: boolean
  /** In pixels. */
  readonly height: number
}

const key = 'dogear-devtools'
const first: RememberedFrame = { isOpen: false, height: 420 }

export function readFrame(): RememberedFrame {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (typeof value !== 'object' || value === null) return first
    const { isOpen, height } = value as Partial<Record<keyof RememberedFrame, unknown>>
    return { isOpen: isOpen === true, height: typeof height === 'number' ? height : first.height }
  } catch {
    return first
  }
}

export function writeFrame(frame: RememberedFrame): void {
  try {
    localStorage.setItem(key, JSON.stringify(frame))
  } catch {
    // Storage is switched off or full: it is as it was at first the next time.
  }
}
