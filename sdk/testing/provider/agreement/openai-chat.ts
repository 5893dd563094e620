import type { JsonObject } from '../../../engine/json.ts'
import type { Rejection } from '../dialect.ts'
import type { Agreement, SharedFault } from './agreement.ts'

const user = { role: 'user', content: 'go' }
const calls = (...ids: readonly string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
})
const result = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'ok' })
const chat = (...messages: readonly JsonObject[]): JsonObject => ({ model: 'gpt-5.2', messages })
const deepseek = (...messages: readonly JsonObject[]): JsonObject => ({ model: 'deepseek-chat', messages })

function rejected(message: string, param: string | null, code: string | null = null): Rejection {
  return { status: 400, body: { error: { type: 'invalid_request_error', message, code, param } } }
}

const mustBeFollowed =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
const unanswered = (ids: string, place: number): Rejection =>
  rejected(
    `${mustBeFollowed} The following tool_call_ids did not have response messages: ${ids}`,
    `messages.[${place}].role`,
  )
const orphan = (place: number): Rejection =>
  rejected(
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    `messages.[${place}].role`,
  )

const faults: readonly SharedFault[] = [
  {
    rule: 'call_without_result',
    what: 'one of two calls has no result at the end',
    request: chat(user, calls('a', 'b'), result('a')),
    rejection: unanswered('b', 3),
    sound: chat(user, calls('a', 'b'), result('b'), result('a')),
  },
  {
    rule: 'call_without_result',
    what: 'a user message comes in place of the result',
    request: chat(user, calls('a'), user),
    rejection: unanswered('a', 2),
    sound: chat(user, calls('a'), result('a'), user),
  },
  {
    rule: 'call_without_result',
    what: "the same in DeepSeek's words",
    request: deepseek(user, calls('a'), user),
    rejection: rejected(
      `${mustBeFollowed} (insufficient tool messages following tool_calls message)`,
      null,
      'invalid_request_error',
    ),
    sound: deepseek(user, calls('a'), result('a'), user),
  },
  {
    rule: 'result_without_call',
    what: 'a result of no call',
    request: chat(user, result('a')),
    rejection: orphan(1),
    sound: chat(user, calls('a'), result('a')),
  },
  {
    rule: 'result_not_adjacent',
    what: 'a result that comes late, after one that was in time',
    request: chat(user, calls('a'), result('a'), user, result('a')),
    rejection: orphan(4),
    sound: chat(user, calls('a'), result('a'), user, calls('a'), result('a')),
  },
  {
    rule: 'duplicate_result',
    what: 'two results of one call',
    request: chat(user, calls('a'), result('a'), result('a')),
    rejection: rejected(
      "Invalid parameter: Duplicate value for 'tool_call_id' of 'a', in messages[2] and messages[3].",
      'messages.[3].tool_call_id',
    ),
    sound: chat(user, calls('a'), result('a'), user),
  },
  {
    rule: 'duplicate_call_id',
    what: 'two calls of one name',
    request: chat(user, calls('a', 'a'), result('a')),
    rejection: rejected(
      "Invalid parameter: Duplicate value for 'tool_call_id' of 'a', in messages[1] and messages[1].",
      'messages.[1].tool_call_id',
    ),
    sound: chat(user, calls('a', 'b'), result('a'), result('b')),
  },
  {
    rule: 'call_without_id',
    what: 'a call without a name',
    request: chat(user, { role: 'assistant', tool_calls: [{ type: 'function' }] }),
    rejection: rejected(
      "Missing required parameter: 'messages[1].tool_calls[0].id'.",
      'messages[1].tool_calls[0].id',
      'missing_required_parameter',
    ),
    sound: chat(user, { role: 'assistant', tool_calls: [{ type: 'function', id: 'a' }] }, result('a')),
  },
  {
    rule: 'empty_calls',
    what: 'an answer whose list of calls is empty',
    request: chat(user, { role: 'assistant', content: 'yes', tool_calls: [] }),
    rejection: rejected(
      "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'messages[1].tool_calls',
      'empty_array',
    ),
    sound: chat(user, { role: 'assistant', content: 'yes' }),
  },
  {
    rule: 'empty_content',
    what: 'no part in a list of parts',
    request: chat({ role: 'user', content: [] }),
    rejection: rejected(
      "Invalid 'messages[0].content': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'messages[0].content',
      'empty_array',
    ),
    sound: chat({ role: 'user', content: [{ type: 'text', text: 'go' }] }),
  },
  {
    rule: 'missing_content',
    what: 'an answer that says nothing and calls nothing',
    request: chat(user, { role: 'assistant', content: null }),
    rejection: rejected("Invalid value for 'content': expected a string, got null.", 'messages[1].content'),
    sound: chat(user, { role: 'assistant', content: null, refusal: 'no' }),
  },
  {
    rule: 'unknown_role',
    what: 'a role of no API',
    request: chat({ role: 'owner', content: 'go' }),
    rejection: rejected(
      "Invalid value: 'owner'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
      'messages[0].role',
      'invalid_value',
    ),
    sound: chat({ role: 'developer', content: 'go' }),
  },
  {
    rule: 'malformed',
    what: 'no list of messages',
    request: { model: 'gpt-5.2' },
    rejection: rejected("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter'),
    sound: chat(user),
  },
  {
    rule: 'malformed',
    what: 'a list of no messages',
    request: chat(),
    rejection: rejected(
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'messages',
      'empty_array',
    ),
    sound: chat(user),
  },
  {
    rule: 'malformed',
    what: 'a message that is text',
    request: { model: 'gpt-5.2', messages: ['go'] },
    rejection: rejected(
      "Invalid type for 'messages[0]': expected an object, but got a string instead.",
      'messages[0]',
      'invalid_type',
    ),
    sound: chat(user),
  },
]

export const openAiChatAgreement: Agreement = { format: 'openai-chat', faults, differences: [] }
