import type { JsonObject } from '../../../engine/json.ts'
import { seededRandom } from '../../random.ts'
import type { Spoken } from '../ask-provider.ts'
import type { ProviderModel } from '../model.ts'
import { arrangeMessages } from './arrange-anthropic.ts'
import { arrangeContents } from './arrange-gemini.ts'
import { arrangeChat } from './arrange-openai-chat.ts'
import { arrangeResponses } from './arrange-openai-responses.ts'

const window = 1_000_000

/** What the names of the models below stand for, so that the provider knows it too. */
export const arrangedModels: Readonly<Record<string, ProviderModel>> = {
  'gpt-5.2': { window },
  'deepseek-chat': { window, server: 'deepseek' },
  'claude-haiku-4-5': { window, thinking: 'manual', takesPrefill: true, refusesSystemMessages: true },
  'claude-opus-4-8': { window, thinking: 'manual' },
  'claude-opus-5': { window },
  'claude-opus-5-5': { window, thinking: 'preserved' },
  'gemini-2.5-pro': { window },
  'gemini-3-pro': { window, thinking: 'preserved' },
}

/** A small request of each format, put together at random: often enough sound, and often not. */
export const arrangements: Readonly<Record<Spoken, (seed: number) => JsonObject>> = {
  'openai-chat': (seed) => arrangeChat(seededRandom(seed)),
  'openai-responses': (seed) => arrangeResponses(seededRandom(seed)),
  anthropic: (seed) => arrangeMessages(seededRandom(seed)),
  gemini: (seed) => arrangeContents(seededRandom(seed)),
}
