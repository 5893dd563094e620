import type { ReactNode } from 'react'
import { type DogearDevtoolsProps, FloatingDevtools } from './FloatingDevtools.tsx'

/**
 * The panel for an app in development: nothing of it is loaded, and nothing runs, until it is opened. In a production
 * build it is nothing; that of `dogear/panel/production` stays.
 */
export const DogearDevtools: (props: DogearDevtoolsProps) => ReactNode = isProduction()
  ? () => null
  : FloatingDevtools

/** Bundlers put the mode of the build in the place of this; where nobody does, an app is being developed. */
function isProduction(): boolean {
  try {
    return process.env.NODE_ENV === 'production'
  } catch {
    return false
  }
}
