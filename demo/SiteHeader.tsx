import { useEffect, useState } from 'react'
import { isTheme, type Theme, ThemeChoice } from './controls/ThemeChoice.tsx'
import { remembered } from './remembered.ts'

const rememberedTheme = remembered('dogear-demo-theme', isTheme)

const pages = [
  { name: 'Chat', address: './index.html' },
  { name: 'Player', address: './player.html' },
  { name: 'Branches', address: './branches.html' },
] as const

export interface SiteHeaderProps {
  readonly page: (typeof pages)[number]['name']
  readonly tagline: string
  readonly theme: Theme
  readonly onTheme: (theme: Theme) => void
}

/** The head of each page: what it is for, and the way to the others. */
export function SiteHeader({ page, tagline, theme, onTheme }: SiteHeaderProps) {
  return (
    <header>
      <h1>dogear</h1>
      <p>{tagline}</p>
      <nav aria-label="Pages">
        {pages.map(({ name, address }) => (
          <a key={name} href={address} aria-current={name === page ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <ThemeChoice theme={theme} onChange={onTheme} />
    </header>
  )
}

/** The theme that was chosen on any of the pages. */
export function useTheme(): readonly [theme: Theme, setTheme: (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(() => rememberedTheme.read() ?? 'system')
  useEffect(() => rememberedTheme.write(theme), [theme])
  return [theme, setTheme]
}
