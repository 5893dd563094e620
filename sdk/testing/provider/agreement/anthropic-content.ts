import type { Rejection } from '../dialect.ts'
import type { SharedFault } from './agreement.ts'
import {
  call,
  marked,
  message,
  newer,
  older,
  rejected,
  result,
  said,
  serverCall,
  serverResult,
  text,
  thinking,
  user,
} from './anthropic-parts.ts'

const empty = (place: number): Rejection =>
  rejected(
    `messages.${place}: all messages must have non-empty content except for the optional final assistant message`,
  )

const blank = rejected('messages: text content blocks must be non-empty')

export const contentFaults: readonly SharedFault[] = [
  {
    rule: 'empty_content',
    what: 'an answer without blocks that is not the last message',
    request: older(user, message('assistant'), user),
    rejection: empty(1),
    sound: older(user, message('assistant')),
  },
  {
    rule: 'empty_content',
    what: 'a message of no text',
    request: older({ role: 'user', content: '' }),
    rejection: empty(0),
    sound: older(user, { role: 'assistant', content: '' }),
  },
  {
    rule: 'empty_text',
    what: 'an empty text',
    request: older(message('user', text(''))),
    rejection: blank,
    sound: older(message('user', text('.'))),
  },
  {
    rule: 'empty_text',
    what: 'a text of white space',
    request: older(user, said, { role: 'user', content: ' \n' }),
    rejection: blank,
    sound: older(user, said, { role: 'user', content: ' \n.' }),
  },
  {
    rule: 'empty_text',
    what: 'an empty text in the system',
    request: { ...older(user), system: [text('')] },
    rejection: rejected('system: text content blocks must be non-empty'),
    sound: { ...older(user), system: [text('Be short.')] },
  },
  {
    rule: 'system_block',
    what: 'an image in a system message',
    request: newer(
      user,
      message('system', { type: 'image', source: { type: 'url', url: 'https://e.test' } }),
    ),
    rejection: rejected("messages.1.content.0: role 'system' takes text only"),
    sound: newer(user, message('system', text('Be short.'))),
  },
  {
    rule: 'block_in_wrong_role',
    what: "thinking in a user's message",
    request: older(message('user', thinking, text('go'))),
    rejection: rejected('messages.0.content.0: `thinking` blocks can only be in `assistant` messages'),
    sound: older(user, message('assistant', thinking, text('yes'))),
  },
  {
    rule: 'block_in_wrong_role',
    what: 'a result in an answer',
    request: older(user, message('assistant', result('a')), user),
    rejection: rejected('messages.1.content.0: `tool_result` blocks can only be in `user` messages'),
    sound: older(user, message('assistant', call('a')), message('user', result('a'))),
  },
  {
    rule: 'block_in_wrong_role',
    what: "a call of the server's tools in a user's message",
    request: older(message('user', serverCall)),
    rejection: rejected('messages.0.content.0: `server_tool_use` blocks can only be in `assistant` messages'),
    sound: older(user, message('assistant', serverCall, serverResult), user),
  },
  {
    rule: 'too_many_cache_marks',
    what: 'five marked tools',
    request: { ...older(user), tools: ['a', 'b', 'c', 'd', 'e'].map((name) => marked({ name })) },
    rejection: rejected('A maximum of 4 blocks with cache_control may be provided. Found 5.'),
    sound: { ...older(user), tools: ['a', 'b', 'c', 'd'].map((name) => marked({ name })) },
  },
  {
    rule: 'too_many_cache_marks',
    what: 'a marked result with four marks in it',
    request: older(
      user,
      message('assistant', call('a')),
      message(
        'user',
        marked({ ...result('a'), content: ['a', 'b', 'c', 'd'].map((said) => marked(text(said))) }),
      ),
    ),
    rejection: rejected('A maximum of 4 blocks with cache_control may be provided. Found 5.'),
    sound: older(
      user,
      message('assistant', call('a')),
      message('user', { ...result('a'), content: ['a', 'b', 'c', 'd'].map((said) => marked(text(said))) }),
    ),
  },
  {
    rule: 'too_many_cache_marks',
    what: 'five marks, one of the request itself',
    request: {
      ...older(message('user', ...['a', 'b', 'c', 'd'].map((said) => marked(text(said))))),
      cache_control: { type: 'ephemeral' },
    },
    rejection: rejected('A maximum of 4 blocks with cache_control may be provided. Found 5.'),
    sound: {
      ...older(user, message('assistant', { ...call('a'), input: marked({}) }), message('user', result('a'))),
      tools: ['a', 'b', 'c', 'd'].map((name) => marked({ name, input_schema: marked({ type: 'object' }) })),
    },
  },
  {
    rule: 'cache_mark_order',
    what: 'a mark of an hour after a shorter one',
    request: older(message('user', marked(text('go')), marked(text('on'), '1h'))),
    rejection: rejected(
      "messages.0.content.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    ),
    sound: older(message('user', marked(text('go'), '1h'), marked(text('on')))),
  },
  {
    rule: 'cache_mark_on_block',
    what: 'a mark on thinking',
    request: older(user, message('assistant', marked(thinking), text('yes')), user),
    rejection: rejected('messages.1.content.0.thinking.cache_control: Extra inputs are not permitted'),
    sound: older(user, message('assistant', thinking, marked(text('yes'))), user),
  },
  {
    rule: 'malformed',
    what: 'no list of messages',
    request: { model: 'claude-opus-5', max_tokens: 9 },
    rejection: rejected('messages: Field required'),
    sound: newer(user),
  },
  {
    rule: 'malformed',
    what: 'a list of no messages',
    request: newer(),
    rejection: rejected('messages: at least one message is required'),
    sound: newer(user),
  },
  {
    rule: 'malformed',
    what: 'a block that is text',
    request: newer({ role: 'user', content: ['go'] }),
    rejection: rejected('messages.0.content.0: Input should be an object'),
    sound: newer({ role: 'user', content: 'go' }),
  },
]
