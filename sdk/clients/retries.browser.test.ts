import { inject } from 'vitest'
import { describeRetries } from './retries.ts'

describeRetries({ url: () => inject('rehearsalUrl') })
