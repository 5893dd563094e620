import { inject } from 'vitest'
import { describeOverflows } from './overflows.ts'

describeOverflows({ url: () => inject('rehearsalUrl') })
