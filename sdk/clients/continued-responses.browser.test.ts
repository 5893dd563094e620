import { inject } from 'vitest'
import { describeContinuedResponses } from './continued-responses.ts'

describeContinuedResponses({ url: () => inject('rehearsalUrl') })
