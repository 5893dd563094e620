import { inject } from 'vitest'
import { describeConversations } from './conversations.ts'

describeConversations({ url: () => inject('rehearsalUrl') })
