import type { Rejection } from '../dialect.ts'
import type { SharedFault } from './agreement.ts'
import {
  call,
  claude,
  manual,
  message,
  newer,
  older,
  rejected,
  result,
  said,
  serverCall,
  serverResult,
  system,
  text,
  thinking,
  user,
} from './anthropic-parts.ts'

const unled = (place: number, found: string): Rejection =>
  rejected(
    `messages.${place}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
  )

const misplaced = (place: number): Rejection =>
  rejected(
    `messages.${place}: role 'system' must follow a user message, or an assistant message that ends in server tool use, and be last or come before an assistant message`,
  )

export const orderFaults: readonly SharedFault[] = [
  {
    rule: 'first_message_not_user',
    what: 'an answer at the beginning',
    request: older(said, user),
    rejection: rejected('messages: first message must use the "user" role'),
    sound: older(message('assistant', { type: 'compaction', content: 'They spoke.' }), user),
  },
  {
    rule: 'ends_with_assistant',
    what: 'an answer at the end',
    request: newer(user, said),
    rejection: rejected(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    ),
    sound: older(user, said),
  },
  {
    rule: 'system_not_supported',
    what: 'a system message for a model that takes none in the list',
    request: older(user, system),
    rejection: rejected("messages.1: role 'system' is not supported on this model"),
    sound: claude('claude-opus-4-8', user, system),
  },
  {
    rule: 'system_misplaced',
    what: 'a system message at the beginning',
    request: newer(system, user),
    rejection: misplaced(0),
    sound: newer(user, system, said, user),
  },
  {
    rule: 'system_misplaced',
    what: 'a system message after an answer',
    request: newer(user, said, system),
    rejection: misplaced(2),
    sound: newer(user, message('assistant', serverCall, serverResult), system),
  },
  {
    rule: 'unknown_role',
    what: 'a role of another API',
    request: older(user, { role: 'owner', content: 'go' }, user),
    rejection: rejected('messages: Unexpected role "owner". Allowed roles are "user" or "assistant".'),
    sound: older(user, user, user),
  },
  {
    rule: 'thinking_last',
    what: 'an answer that is all thought',
    request: older(user, message('assistant', thinking), user),
    rejection: rejected('messages.1: The final block in an assistant message cannot be `thinking`.'),
    sound: older(user, message('assistant', thinking, text('yes')), user),
  },
  {
    rule: 'thinking_not_first',
    what: 'manual thinking that the newest turn lacks',
    request: manual(user, message('assistant', call('a')), message('user', result('a'))),
    rejection: unled(1, 'tool_use'),
    sound: manual(user, message('assistant', thinking, call('a')), message('user', result('a'))),
  },
  {
    rule: 'thinking_not_first',
    what: 'manual thinking that only the second step of the turn has',
    request: manual(
      user,
      message('assistant', text('first'), call('a')),
      message('user', result('a')),
      message('assistant', thinking, call('b')),
      message('user', result('b')),
    ),
    rejection: unled(1, 'text'),
    sound: manual(
      user,
      message('assistant', thinking, call('a')),
      message('user', result('a')),
      message('assistant', call('b')),
      message('user', result('b')),
    ),
  },
]
