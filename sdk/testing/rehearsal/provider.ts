import { modelNames } from '../../clients/anthropic-models.ts'
import { createProvider, type Provider, type ProviderOptions } from '../provider/provider.ts'
import { rehearse } from './model.ts'

/** What the model named `small` takes: a fraction of what the task comes to. */
const SMALL_WINDOW = 6000

/** A provider whose models do the rehearsal's task, each family with the reasoning that it has. */
export function rehearsalProvider(options: Pick<ProviderOptions, 'count' | 'interfere'>): Provider {
  const window = 200_000
  const thinks = new Set<string>([modelNames.preserved, modelNames.manual, 'gemini-3-pro'])
  return createProvider({
    ...options,
    models: {
      [modelNames.preserved]: { window, factor: 1.3, thinking: 'preserved' },
      [modelNames.manual]: { window, factor: 1.1, thinking: 'manual' },
      'gemini-3-pro': { window, thinking: 'preserved' },
      small: { window: SMALL_WINDOW, factor: 1.2 },
      '*': { window },
    },
    answer: (turn) => {
      const { reasoning, ...answer } = rehearse(turn)
      return reasoning !== undefined && thinks.has(turn.model) ? { ...answer, reasoning } : answer
    },
  })
}
