import type { JsonObject, JsonValue } from '../../../engine/json.ts'
import type { Rejection } from '../dialect.ts'
import type { Agreement, Difference, SharedFault } from './agreement.ts'

const user = { role: 'user', content: 'go' }
const said = { role: 'assistant', content: 'yes' }
const call = (id: string, kind = 'function_call'): JsonObject => ({ type: kind, call_id: id, name: 'look' })
const output = (id: string, kind = 'function_call'): JsonObject => ({
  type: `${kind}_output`,
  call_id: id,
  output: 'ok',
})
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] }
const update = { type: 'configuration_update', reasoning: { effort: 'low' } }
const asked = (...input: readonly JsonValue[]): JsonObject => ({ model: 'gpt-5.2', input })
const deepseek = (...input: readonly JsonObject[]): JsonObject => ({ model: 'deepseek-chat', input })

function rejected(message: string, param: string | null = 'input', code: string | null = null): Rejection {
  return { status: 400, body: { error: { type: 'invalid_request_error', message, code, param } } }
}

const nothingAsked = rejected(
  `One of "input" or "previous_response_id" or 'prompt' or 'conversation_id' must be provided.`,
  null,
  'missing_required_parameter',
)
const leadsNowhere = rejected(
  "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
)

const faults: readonly SharedFault[] = [
  {
    rule: 'call_without_result',
    what: 'a call of a function without its output',
    request: asked(user, call('a'), user),
    rejection: rejected('No tool output found for function call a.'),
    sound: asked(user, call('a'), user, output('a')),
  },
  {
    rule: 'call_without_result',
    what: 'a call of a custom tool without its output',
    request: asked(user, call('a', 'custom_tool_call')),
    rejection: rejected('No tool output found for custom tool call a.'),
    sound: asked(user, call('a', 'custom_tool_call'), output('a', 'custom_tool_call')),
  },
  {
    rule: 'call_without_result',
    what: "the same in DeepSeek's words",
    request: deepseek(user, call('a')),
    rejection: rejected('No tool output found for tool call a'),
    sound: deepseek(user, call('a'), output('a')),
  },
  {
    rule: 'result_not_adjacent',
    what: "an output that is not next to its call, at DeepSeek's",
    request: deepseek(user, call('a'), user, output('a')),
    rejection: rejected('No tool output found for tool call a'),
    sound: deepseek(user, call('a'), call('b'), output('a'), output('b'), user),
  },
  {
    rule: 'result_not_adjacent',
    what: "a second output that is not next to the call, at DeepSeek's",
    request: deepseek(user, call('a'), output('a'), user, output('a')),
    rejection: rejected('No tool call found for function call output with call_id a.'),
    sound: deepseek(user, call('a'), output('a'), user, call('b'), output('b')),
  },
  {
    rule: 'result_without_call',
    what: 'an output of no call',
    request: asked(user, output('a')),
    rejection: rejected('No tool call found for function call output with call_id a.'),
    sound: asked(user, call('a'), output('a')),
  },
  {
    rule: 'result_without_call',
    what: 'an output ahead of the call, which has another one',
    request: asked(user, output('a'), call('a'), output('a')),
    rejection: rejected('No tool call found for function call output with call_id a.'),
    sound: asked(user, call('a'), output('a'), call('b'), output('b')),
  },
  {
    rule: 'call_without_id',
    what: 'a call without a name',
    request: asked(user, { type: 'function_call', name: 'look', arguments: '{}' }),
    rejection: rejected(
      "Missing required parameter: 'input[1].call_id'.",
      'input[1].call_id',
      'missing_required_parameter',
    ),
    sound: asked(user, call('a'), output('a')),
  },
  {
    rule: 'reasoning_without_item',
    what: 'reasoning that the app speaks after',
    request: asked(user, reasoning, user),
    rejection: leadsNowhere,
    sound: asked(user, reasoning, said, user),
  },
  {
    rule: 'reasoning_without_item',
    what: 'reasoning at the end',
    request: asked(user, reasoning),
    rejection: leadsNowhere,
    sound: asked(user, reasoning, call('a'), output('a')),
  },
  {
    rule: 'reasoning_without_item',
    what: 'reasoning whose call is gone from between it and the output',
    request: asked(user, call('a'), reasoning, output('a')),
    rejection: leadsNowhere,
    sound: asked(user, reasoning, reasoning, call('a'), output('a')),
  },
  {
    rule: 'two_histories',
    what: 'a response and a conversation at once',
    request: { ...asked(user), previous_response_id: 'resp_1', conversation: 'conv_1' },
    rejection: rejected(
      "Mutually exclusive parameters: Ensure you are only providing one of: 'previous_response_id' or 'conversation'.",
      null,
      'mutually_exclusive_parameters',
    ),
    sound: asked(user),
  },
  {
    rule: 'unknown_role',
    what: 'a role of another API',
    request: asked({ role: 'tool', content: 'ok' }),
    rejection: rejected(
      "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
      'input[0].role',
      'invalid_value',
    ),
    sound: asked({ role: 'developer', content: 'ok' }),
  },
  {
    rule: 'missing_content',
    what: 'a message that says nothing',
    request: asked({ role: 'user' }),
    rejection: rejected(
      "Missing required parameter: 'input[0].content'.",
      'input[0].content',
      'missing_required_parameter',
    ),
    sound: asked({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] }),
  },
  {
    rule: 'malformed',
    what: 'no input',
    request: { model: 'gpt-5.2' },
    rejection: nothingAsked,
    sound: { model: 'gpt-5.2', input: 'go' },
  },
  {
    rule: 'malformed',
    what: 'a list of no items',
    request: asked(),
    rejection: nothingAsked,
    sound: asked(user),
  },
  {
    rule: 'malformed',
    what: 'an item that is text',
    request: asked('go'),
    rejection: rejected(
      "Invalid type for 'input[0]': expected an input item, but got a string instead.",
      'input[0]',
      'invalid_type',
    ),
    sound: asked(user),
  },
]

const unpublished = 'it is published as a rule, and nowhere how a request is rejected for it'
const remembered = 'nobody but the provider can know what it holds'

const differences: readonly Difference[] = [
  {
    what: 'two updates in a row',
    why: unpublished,
    request: asked(user, update, update),
    rule: 'updates_in_a_row',
    status: 200,
  },
  {
    what: 'an update beside automatic truncation',
    why: unpublished,
    request: { ...asked(user, update), truncation: 'auto' },
    rule: 'update_beside_shortening',
    status: 200,
  },
  {
    what: 'a compaction trigger that is not last',
    why: unpublished,
    request: asked({ type: 'compaction_trigger' }, user),
    rule: 'trigger_not_last',
    status: 200,
  },
  {
    what: 'an approval that was not asked for',
    why: unpublished,
    request: asked(user, { type: 'mcp_approval_response', approval_request_id: 'a', approve: true }),
    rule: 'result_without_call',
    status: 200,
  },
  {
    what: 'an answer without the reasoning that led to it',
    why: remembered,
    request: asked(user, { ...said, id: 'msg_r000001' }),
    rule: null,
    status: 400,
  },
  {
    what: 'a reference to an item of no response',
    why: remembered,
    request: asked(user, { type: 'item_reference', id: 'msg_1' }),
    rule: null,
    status: 404,
  },
  {
    what: 'a response that was never given',
    why: remembered,
    request: { ...asked(user), previous_response_id: 'resp_1' },
    rule: null,
    status: 400,
  },
  {
    what: 'a conversation that was never begun',
    why: remembered,
    request: { ...asked(user), conversation: 'conv_1' },
    rule: null,
    status: 404,
  },
  {
    what: 'a prompt template in place of the input',
    why: remembered,
    request: { model: 'gpt-5.2', prompt: { id: 'pmpt_1' } },
    rule: null,
    status: 400,
  },
]

export const openAiResponsesAgreement: Agreement = { format: 'openai-responses', faults, differences }
