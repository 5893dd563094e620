import type { Agreement, Difference } from './agreement.ts'
import { contentFaults } from './anthropic-content.ts'
import { orderFaults } from './anthropic-order.ts'
import { pairFaults } from './anthropic-pairs.ts'
import { claude, message, newer, result, text, thinking, user } from './anthropic-parts.ts'

const differences: readonly Difference[] = [
  {
    what: 'results whose calls a thread holds',
    why: 'nobody but the provider can know what it holds, and the played one holds no threads',
    request: {
      ...newer(message('user', result('a'))),
      thread: { type: 'continue', previous_message_id: 'msg_1' },
    },
    rule: null,
    status: 400,
  },
  {
    what: 'reasoning that is signed for another conversation',
    why: 'the signature is a secret of the provider',
    request: claude('claude-opus-5-5', user, message('assistant', thinking, text('yes')), user),
    rule: null,
    status: 400,
  },
]

export const anthropicAgreement: Agreement = {
  format: 'anthropic',
  faults: [...pairFaults, ...orderFaults, ...contentFaults],
  differences,
}
