import { type Conversation, type ConversationOptions, makeConversation } from './conversation.ts'
import { seededRandom } from './random.ts'

/** A varied conversation of some kind and size; with `options` of it held fast. */
export function randomConversation(
  seed: number,
  options: Partial<ConversationOptions> = {},
): { readonly conversation: Conversation; readonly options: ConversationOptions } {
  const random = seededRandom(seed)
  const format = options.format ?? random.pick(['openai-chat', 'anthropic'])
  const thinking = random.pick([undefined, 'manual', 'preserved'] as const)
  const chosen: ConversationOptions = {
    seed,
    format,
    rounds: random.pick([1, 3, 8, 8, 15, 15, 25]),
    resultWords: random.pick([40, 200, 800, 3000]),
    contextTool: random.chance(0.8),
    shapes: 'varied',
    ...(format === 'anthropic' && thinking !== undefined ? { thinking } : {}),
    ...options,
  }
  return { conversation: makeConversation(chosen), options: chosen }
}
