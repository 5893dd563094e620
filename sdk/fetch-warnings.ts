import type { Warning } from './engine/format.ts'
import { DogearError } from './errors.ts'

export const bodyUnreadable: Warning = {
  code: 'request_unreadable',
  message:
    'a request went to the address of a chat with a body that is no JSON object, so it was not prepared and went out as it came; send the body that the provider documents',
}

export const reasoningUnbound: Warning = {
  code: 'reasoning_rejected',
  message:
    'the provider rejected reasoning that is bound to another beginning of the conversation, so the request was sent once more without any; send answers back as they came, to the model that gave them',
}

export const responseUnreadable: Warning = {
  code: 'response_unreadable',
  message:
    'the response holds nothing that its format knows, so it is settled as failed; it was handed over as it came, see whether a proxy answered in place of the provider',
}

export const responseOfOtherType: Warning = {
  code: 'response_of_other_type',
  message:
    'the content type of the response is not that of what it holds; it was read by what it looks like, see whether a proxy changes it',
}

export const responseTruncated: Warning = {
  code: 'response_truncated',
  message:
    'the response ended before the answer did, so it is settled as failed; it was handed over as it came, and sending the same list again is a retry',
}

export const responseFailed: Warning = {
  code: 'response_failed',
  message:
    'the provider reported an error after it had begun to answer, so the request is settled as failed; the app has the error in its response',
}

/** Why a request went out as it came. */
export function notPrepared(error: unknown): Warning {
  return {
    code: 'request_not_prepared',
    message: `the request was not prepared and went out as it came: ${reasonOf(error)}`,
  }
}

/** The app's own function did not name a branch. */
export function branchUnnamed(error: unknown): Warning {
  return {
    code: 'branch_unnamed',
    message: `the function given as dogear.fetch({ branch }) threw ${nameOf(error)}, so the request was not prepared and went out as it came; return an id, or null for a request of no branch`,
  }
}

export function notSettled(error: unknown): Warning {
  return {
    code: 'request_not_settled',
    message: `the end of the request could not be recorded: ${reasonOf(error)}`,
  }
}

/** Only dogear's own messages are known to hold no conversation text. */
function reasonOf(error: unknown): string {
  return DogearError.isInstance(error) ? `${error.message} (${error.code})` : nameOf(error)
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'what is no error'
}
