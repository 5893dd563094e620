import { useEffect } from 'react'

export type Theme = 'system' | 'light' | 'dark'

export function isTheme(value: unknown): value is Theme {
  return value === 'system' || value === 'light' || value === 'dark'
}

export interface ThemeChoiceProps {
  readonly theme: Theme
  readonly onChange: (theme: Theme) => void
}

export function ThemeChoice({ theme, onChange }: ThemeChoiceProps) {
  useEffect(() => {
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset.theme
    else dataset.theme = theme
  }, [theme])

  return (
    <label className="theme">
      Theme
      <select value={theme} onChange={({ target }) => isTheme(target.value) && onChange(target.value)}>
        <option value="system">system</option>
        <option value="light">light</option>
        <option value="dark">dark</option>
      </select>
    </label>
  )
}
