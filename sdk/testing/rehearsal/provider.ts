import { createProvider, type Provider, type ProviderOptions } from '../provider/provider.ts'
import { rehearse } from './model.ts'
import { modelNames } from './model-names.ts'

const window = 200_000

/** What the model named `small` takes: a fraction of what the task comes to. */
const SMALL_WINDOW = 6000

const models: ProviderOptions['models'] = {
  [modelNames.reasoning]: { window, factor: 1.05 },
  [modelNames.preserved]: { window, factor: 1.3, thinking: 'preserved' },
  [modelNames.manual]: { window, factor: 1.1, thinking: 'manual' },
  [modelNames.gemini]: { window, thinking: 'preserved' },
  [modelNames.small]: { window: SMALL_WINDOW, factor: 1.2 },
  '*': { window },
}

const thinks: ReadonlySet<string> = new Set([
  modelNames.reasoning,
  modelNames.preserved,
  modelNames.manual,
  modelNames.gemini,
])

/** A provider whose models do the rehearsal's task, each family with the reasoning that it has. */
export function rehearsalProvider(options: Pick<ProviderOptions, 'count' | 'interfere'>): Provider {
  return createProvider({
    ...options,
    models,
    answer: (turn) => {
      const { reasoning, ...answer } = rehearse(turn)
      return reasoning !== undefined && thinks.has(turn.model) ? { ...answer, reasoning } : answer
    },
  })
}
