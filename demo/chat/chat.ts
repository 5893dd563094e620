import type OpenAI from 'openai'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Branch, type ContextPolicy, type Dogear, DogearError } from '../../sdk/index.ts'
import { rehearsalTools, runRehearsalTool } from '../../sdk/testing.ts'
import { type Endpoint, reach } from './endpoint.ts'

export interface ChatState {
  readonly branch: Branch | null
  readonly policy: ContextPolicy
  /** Why what was asked for last is not in force. */
  readonly policyError: DogearError | null
  readonly endpoint: Endpoint
  /** Whether the model may read back what was folded. */
  readonly hasContextTool: boolean
  readonly isAnswering: boolean
  /** The newest answer, as far as it has come. */
  readonly answer: string
  /** What the client threw, in its own words. */
  readonly error: string | null
}

export interface Chat {
  readonly store: StoreApi<ChatState>
  send(text: string): Promise<void>
  stop(): void
  /** Another conversation; this one is kept. */
  renew(): Promise<void>
  setPolicy(policy: ContextPolicy): Promise<void>
  setEndpoint(endpoint: Endpoint): void
  setContextTool(has: boolean): void
}

/** No answer of the rehearsal takes more. */
const MOST_STEPS = 80

/**
 * A chat as an app has it: its own list of messages, a client with its `fetch`, and tools. What dogear does is in the
 * `fetch` alone.
 */
export function createChat({
  dogear,
  policy,
}: {
  readonly dogear: Dogear
  readonly policy: ContextPolicy
}): Chat {
  const store = createStore<ChatState>()(() => ({
    branch: null,
    policy,
    policyError: null,
    endpoint: { type: 'rehearsal', model: 'plain' },
    hasContextTool: true,
    isAnswering: false,
    answer: '',
    error: null,
  }))
  let messages: OpenAI.ChatCompletionMessageParam[] = []
  let aborting = new AbortController()

  async function openBranch(): Promise<Branch> {
    const known = store.getState().branch
    if (known) return known
    const branch = await dogear.branch(`chat ${new Date().toISOString()}`, {
      policy: store.getState().policy,
    })
    store.setState({ branch, policy: branch.policy })
    return branch
  }

  async function converse(branch: Branch, signal: AbortSignal): Promise<void> {
    const { endpoint, hasContextTool } = store.getState()
    const { model, network, ...account } = await reach(endpoint)
    const { default: Client } = await import('openai')
    const client = new Client({
      ...account,
      dangerouslyAllowBrowser: true,
      fetch: dogear.fetch({ branch: branch.id, fetch: network }),
    })
    const tools = [
      ...rehearsalTools.map((tool) => ({ type: 'function' as const, function: tool })),
      ...(hasContextTool ? [branch.contextTool.definition('openai-chat')] : []),
    ]
    for (let step = 0; step < MOST_STEPS; step++) {
      store.setState({ answer: '' })
      const answering = client.chat.completions.stream(
        { model, messages, tools, stream_options: { include_usage: true } },
        { signal },
      )
      answering.on('content', (_, answer) => store.setState({ answer }))
      const [choice] = (await answering.finalChatCompletion()).choices
      if (!choice) throw new Error('The answer holds no choice.')
      const { content, tool_calls: calls = [] } = choice.message
      messages.push({ role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) })
      if (calls.length === 0) return
      for (const call of calls) {
        if (call.type !== 'function') continue
        const { name, arguments: args } = call.function
        const result = await runRehearsalTool(branch.contextTool, name, JSON.parse(args))
        messages.push({ role: 'tool', tool_call_id: call.id, content: result })
      }
    }
  }

  return {
    store,
    async send(text) {
      if (store.getState().isAnswering || text.trim() === '') return
      aborting = new AbortController()
      const { signal } = aborting
      store.setState({ isAnswering: true, error: null, answer: '' })
      messages.push({ role: 'user', content: text })
      try {
        await converse(await openBranch(), signal)
      } catch (error) {
        // What the person stopped needs no words.
        if (!signal.aborted) store.setState({ error: error instanceof Error ? error.message : String(error) })
      }
      store.setState({ isAnswering: false })
    },
    stop: () => aborting.abort(),
    async renew() {
      aborting.abort()
      messages = []
      store.setState({ branch: null, answer: '', error: null })
      await openBranch()
    },
    async setPolicy(asked) {
      try {
        await (await openBranch()).setPolicy(asked)
        store.setState({ policy: asked, policyError: null })
      } catch (error) {
        if (!DogearError.isInstance(error)) throw error
        store.setState({ policyError: error })
      }
    },
    setEndpoint: (endpoint) => store.setState({ endpoint }),
    setContextTool: (hasContextTool) => store.setState({ hasContextTool }),
  }
}
