import type { JsonObject, JsonValue } from '../../../engine/json.ts'
import type { Rejection } from '../dialect.ts'
import type { Agreement, Difference, SharedFault } from './agreement.ts'

const content = (role: string, ...parts: readonly JsonObject[]): JsonObject => ({ role, parts })
const go = content('user', { text: 'go' })
const yes = content('model', { text: 'yes' })
const call = { functionCall: { name: 'look', args: {} } }
const signed = { ...call, thoughtSignature: 's' }
const response = { functionResponse: { name: 'look', response: { output: 'ok' } } }
const chat = (...contents: readonly JsonValue[]): JsonObject => ({ model: 'gemini-2.5-pro', contents })
const thinking = (...contents: readonly JsonObject[]): JsonObject => ({ model: 'gemini-3-pro', contents })

function rejected(message: string): Rejection {
  return { status: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } }
}

const count = rejected(
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
)
const order = rejected(
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
)
const unsigned = rejected(
  'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.',
)
const nothing = rejected('* GenerateContentRequest.contents: contents is not specified\n')
const contentType = 'type.googleapis.com/google.ai.generativelanguage.v1beta.Content'

const faults: readonly SharedFault[] = [
  {
    rule: 'result_count',
    what: 'one response to two calls',
    request: chat(go, content('model', call, call), content('user', response)),
    rejection: count,
    sound: chat(go, content('model', call, call), content('user', response, response)),
  },
  {
    rule: 'call_without_result',
    what: 'a call that the user speaks after',
    request: chat(go, content('model', call), go),
    rejection: count,
    sound: chat(go, content('model', call), content('user', response), go),
  },
  {
    rule: 'call_without_result',
    what: 'a call at the end',
    request: chat(go, content('model', call)),
    rejection: count,
    sound: chat(go, content('model', call), content('function', response)),
  },
  {
    rule: 'result_without_call',
    what: 'a response to no call',
    request: chat(go, yes, content('user', response)),
    rejection: count,
    sound: chat(go, content('model', call), content('user', response)),
  },
  {
    rule: 'call_misplaced',
    what: 'a call after an answer',
    request: chat(go, yes, content('model', call), content('user', response)),
    rejection: order,
    sound: chat(go, yes, go, content('model', call), content('user', response)),
  },
  {
    rule: 'call_misplaced',
    what: 'a call at the beginning',
    request: chat(content('model', call), content('user', response)),
    rejection: order,
    sound: chat({ parts: [{ text: 'go' }] }, content('model', call), content('user', response)),
  },
  {
    rule: 'missing_signature',
    what: 'the first of two calls is not signed',
    request: thinking(go, content('model', call, signed), content('user', response, response)),
    rejection: unsigned,
    sound: thinking(go, content('model', signed, call), content('user', response, response)),
  },
  {
    rule: 'missing_signature',
    what: 'the second step of a turn is not signed',
    request: thinking(
      go,
      content('model', signed),
      content('user', response),
      content('model', call),
      content('user', response),
    ),
    rejection: unsigned,
    sound: thinking(
      go,
      content('model', call),
      content('user', response),
      content('model', { text: 'yes' }),
      go,
      content('model', signed),
      content('user', response),
    ),
  },
  {
    rule: 'missing_signature',
    what: 'a call after a response that the user said nothing to',
    request: thinking(
      go,
      content('model', signed),
      content('user', response),
      content('model', call),
      content('user', response),
    ),
    rejection: unsigned,
    sound: thinking(
      go,
      content('model', call),
      content('user', response, { text: 'and on' }),
      content('model', signed),
      content('user', response),
    ),
  },
  {
    rule: 'empty_parts',
    what: 'a content without parts',
    request: chat(go, yes, content('user')),
    rejection: rejected(
      'Unable to submit request because it must include at least one parts field, which describes the prompt input.',
    ),
    sound: chat(go, yes, go),
  },
  {
    rule: 'unknown_role',
    what: 'a role of another API',
    request: chat(content('assistant', { text: 'yes' }), go),
    rejection: rejected('Please use a valid role: user, model.'),
    sound: chat(yes, go),
  },
  {
    rule: 'set_beside_cache',
    what: 'a system instruction beside a cache',
    request: {
      ...chat(go),
      cachedContent: 'cachedContents/1',
      systemInstruction: { parts: [{ text: 'x' }] },
    },
    rejection: rejected(
      'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.\n\nProposed fix: move those values to CachedContent from GenerateContent request.',
    ),
    sound: { ...chat(go), systemInstruction: { parts: [{ text: 'x' }] } },
  },
  { rule: 'malformed', what: 'no contents', request: { model: 'm' }, rejection: nothing, sound: chat(go) },
  { rule: 'malformed', what: 'a list of no contents', request: chat(), rejection: nothing, sound: chat(go) },
  {
    rule: 'malformed',
    what: 'a content that is text',
    request: chat('go'),
    rejection: rejected(`Invalid value at 'contents[0]' (${contentType})`),
    sound: chat(go),
  },
]

const differences: readonly Difference[] = [
  {
    what: 'a cache that was never made',
    why: 'nobody but the provider can know what it holds',
    request: { ...chat(content('user', response)), cachedContent: 'cachedContents/1' },
    rule: null,
    status: 400,
  },
  {
    what: 'names in the other spelling',
    why: 'only the client writes them, and the played provider reads what clients send',
    request: chat(go, content('model', { function_call: { name: 'look', args: {} } }), go),
    rule: 'call_without_result',
    status: 200,
  },
]

export const geminiAgreement: Agreement = { format: 'gemini', faults, differences }
