import type { Rejection } from '../dialect.ts'
import type { SharedFault } from './agreement.ts'
import {
  call,
  message,
  newer,
  older,
  rejected,
  result,
  said,
  serverCall,
  serverResult,
  text,
  user,
} from './anthropic-parts.ts'

const unanswered = (place: number, ids: string): Rejection =>
  rejected(
    `messages.${place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  )

const orphan = (path: string, id: string): Rejection =>
  rejected(
    `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
  )

export const pairFaults: readonly SharedFault[] = [
  {
    rule: 'call_without_result',
    what: 'one of two calls has no result',
    request: older(user, message('assistant', call('a'), call('b')), message('user', result('a'))),
    rejection: unanswered(1, 'b'),
    sound: older(user, message('assistant', call('a'), call('b')), message('user', result('b'), result('a'))),
  },
  {
    rule: 'call_without_result',
    what: 'a call at the end',
    request: newer(user, message('assistant', call('a'))),
    rejection: unanswered(1, 'a'),
    sound: newer(user, message('assistant', call('a')), message('user', result('a'), text('go on'))),
  },
  {
    rule: 'results_not_first',
    what: 'a result after text',
    request: older(user, message('assistant', call('a')), message('user', text('here'), result('a'))),
    rejection: unanswered(1, 'a'),
    sound: older(
      user,
      message('assistant', call('a')),
      message('user', result('a')),
      message('user', text('x')),
    ),
  },
  {
    rule: 'result_without_call',
    what: 'a result at the beginning',
    request: older(message('user', result('a'))),
    rejection: orphan('messages.0.content.0', 'a'),
    sound: older(user, message('assistant', call('a')), message('user', result('a'))),
  },
  {
    rule: 'result_without_call',
    what: 'a result of a call that is not in the message before',
    request: older(
      user,
      message('assistant', call('a')),
      message('user', result('a')),
      said,
      message('user', result('a')),
    ),
    rejection: orphan('messages.4.content.0', 'a'),
    sound: older(
      user,
      message('assistant', call('a'), call('b')),
      message('user', result('a')),
      message('user', result('b')),
    ),
  },
  {
    rule: 'duplicate_result',
    what: 'two results of one call',
    request: older(user, message('assistant', call('a')), message('user', result('a'), result('a'))),
    rejection: rejected(
      'messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a',
    ),
    sound: older(user, message('assistant', call('a'), call('b')), message('user', result('a'), result('b'))),
  },
  {
    rule: 'duplicate_call_id',
    what: 'two calls of one name, in two messages',
    request: older(
      user,
      message('assistant', call('a')),
      message('user', result('a')),
      message('assistant', call('a')),
      message('user', result('a')),
    ),
    rejection: rejected('messages.3.content.0: `tool_use` ids must be unique'),
    sound: older(
      user,
      message('assistant', call('a')),
      message('user', result('a')),
      message('assistant', call('b')),
      message('user', result('b')),
    ),
  },
  {
    rule: 'call_without_id',
    what: 'a call without a name',
    request: older(user, message('assistant', { type: 'tool_use', name: 'look', input: {} }), user),
    rejection: rejected('messages.1.content.0.tool_use.id: Field required'),
    sound: older(user, message('assistant', call('a')), message('user', result('a'))),
  },
  {
    rule: 'server_result_without_call',
    what: "a result of the server's tool without the call before it",
    request: older(user, message('assistant', serverResult, text('yes')), user),
    rejection: rejected(
      'messages.1.content.0: unexpected `tool_use_id` found in `web_search_tool_result` blocks: s. Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it.',
    ),
    sound: newer(user, message('assistant', serverCall, serverResult)),
  },
]
