import { waitForUpdate } from '@pydantic/genai-prices'
import { describe, expect, it } from 'vitest'
import { canonicalProvider, providerFromUrl } from './provider.ts'
import { slice } from './slice.generated.ts'

describe('canonicalProvider', () => {
  it.each([
    ['openai', 'openai'],
    ['OpenAI.responses', 'openai'],
    ['anthropic.messages', 'anthropic'],
    ['google.generative-ai', 'google'],
    ['google.vertex.chat', 'google'],
    ['google-vertex', 'google'],
    ['xai.chat', 'x-ai'],
    ['azure-openai.chat', 'azure'],
    ['amazon-bedrock', 'aws'],
    ['z-ai', 'zai'],
    ['z_ai', 'zai'],
    ['my-gateway', 'my-gateway'],
    ['constructor', 'constructor'],
  ])('takes %s for %s', (written, provider) => {
    expect(canonicalProvider(written)).toBe(provider)
  })
})

describe('providerFromUrl', () => {
  it.each([
    ['https://api.anthropic.com/v1/messages', 'anthropic'],
    ['https://eu.api.openai.com/v1/responses', 'openai'],
    ['https://mine.openai.azure.com/openai/deployments/x/chat/completions', 'azure'],
    ['https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent', 'google'],
    ['https://us-central1-aiplatform.googleapis.com/v1/projects/p', 'google'],
    ['https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse', 'aws'],
    ['https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions', 'alibaba'],
    ['https://API.X.AI/v1/chat/completions', 'x-ai'],
  ])('knows %s', (url, provider) => {
    expect(providerFromUrl(url)).toBe(provider)
  })

  it.each([
    '',
    '/api/chat',
    'http://localhost:11434/api/chat',
    'https://notapi.openai.com.evil.example/v1',
    'https://myapi.x.ai.example/',
    'https://s3.us-east-1.amazonaws.com/',
    'https://bedrock.example/model',
    'https://example.com/?to=https://api.openai.com',
    'https://xapi.openai.com/',
  ])('knows nothing of %s', (url) => {
    expect(providerFromUrl(url)).toBeUndefined()
  })

  it('agrees with the price data on the providers of the slice', async () => {
    for (const { id, api_pattern } of (await waitForUpdate()) ?? []) {
      if (!Object.hasOwn(slice.providers, id)) continue
      const host = /[a-z0-9.\\-]+\.(?:com|ai|io)/.exec(api_pattern.replace(/\(.*?\)\??/g, ''))?.[0]
      if (host === undefined) continue
      const url = `https://${host.replaceAll('\\', '')}/v1/chat/completions`
      if (new RegExp(`^(?:${api_pattern})`).test(url)) expect([url, providerFromUrl(url)]).toEqual([url, id])
    }
  })
})
