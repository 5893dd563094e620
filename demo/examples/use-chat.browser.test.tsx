import { createOpenAI } from '@ai-sdk/openai'
import { jsonSchema, type Tool, tool } from 'ai'
import { useState } from 'react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { type Branch, createDogear, memoryStore } from '../../sdk/index.ts'
import { mount } from '../../sdk/testing/mount.tsx'
import {
  fetchFrom,
  type Provider,
  rehearsalProvider,
  rehearsalSolution,
  rehearsalTask,
  rehearsalTools,
  runRehearsalTool,
} from '../../sdk/testing.ts'
import { loadTokenizer } from '../../sdk/tokenizer.ts'
import { answerChat } from './server-route.ts'
import { Messages, useDirectChat, useServerChat } from './use-chat.tsx'

const CEILING = 12_000

interface ChatProps {
  readonly branch: Branch
  readonly network: typeof fetch
}

function DirectChat({ branch, network }: ChatProps) {
  const [model] = useState(() => modelOver(network))
  const [tools] = useState(() => documentTools(branch))
  const { messages, sendMessage, error } = useDirectChat({ branch, model, tools })
  return (
    <>
      <button type="button" onClick={() => sendMessage({ text: rehearsalTask })}>
        Send
      </button>
      <Messages messages={messages} error={error} />
    </>
  )
}

function ServerChat({ branch, network }: ChatProps) {
  const { messages, sendMessage, error } = useServerChat({
    branch,
    api: 'https://app.test/api/chat',
    fetch: (input, init) => answerChat(new Request(input, init), modelOver(network)),
    tools: pageTools,
    runTool: (name, args) => runRehearsalTool(branch.contextTool, name, args),
  })
  return (
    <>
      <button type="button" onClick={() => sendMessage({ text: rehearsalTask })}>
        Send
      </button>
      <Messages messages={messages} error={error} />
    </>
  )
}

const pageTools = rehearsalTools.map(({ name, description, parameters }) => ({
  type: 'function' as const,
  name,
  description,
  inputSchema: parameters,
}))

describe.each([
  ['in the page, over a DirectChatTransport', DirectChat],
  ['over a server', ServerChat],
])('useChat %s', (_, Chat) => {
  it('does its task under a ceiling, and tells what was folded long before', async () => {
    const { count } = await loadTokenizer()
    const provider = rehearsalProvider({ count })
    const branch = await openBranch()
    const { place } = mount(<Chat branch={branch} network={fetchFrom(provider)} />)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => place.textContent, { timeout: 30_000 }).toContain(rehearsalSolution)
    expect(place.querySelector('[role=alert]')).toBeNull()
    expect(Math.max(...inputsOf(provider))).toBeLessThanOrEqual(CEILING)
    const { decisions } = await branch.journal()
    expect(decisions.some(({ action }) => action === 'fold')).toBe(true)
    expect(decisions).toHaveLength(provider.requests.length)
    // The words are there before the end of the answer, which tells what was used.
    await expect.poll(() => completions(branch)).toBe(decisions.length)
  }, 40_000)
})

async function completions(branch: Branch): Promise<number> {
  const { settlements } = await branch.journal()
  return settlements.filter(({ outcome, usage }) => outcome === 'completed' && usage).length
}

async function openBranch(): Promise<Branch> {
  const dogear = createDogear({ policy: { maxInputTokens: CEILING }, store: memoryStore() })
  onTestFinished(() => dogear.close())
  await dogear.warmUp()
  return dogear.branch('chat')
}

function modelOver(network: typeof fetch) {
  return createOpenAI({ apiKey: 'none', fetch: network }).chat('any')
}

function documentTools(branch: Branch): Record<string, Tool> {
  return Object.fromEntries(
    rehearsalTools.map(({ name, description, parameters }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(parameters),
        execute: (args: unknown) => runRehearsalTool(branch.contextTool, name, args),
      }),
    ]),
  )
}

function inputsOf({ requests }: Provider): readonly number[] {
  return requests.map(({ input }) => input)
}
