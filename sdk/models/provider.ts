/** Other names of a provider, as gateways, clouds and SDKs spell it. */
const otherNames = new Map(
  Object.entries({
    'amazon-bedrock': 'aws',
    'azure-openai': 'azure',
    bedrock: 'aws',
    copilot: 'github-copilot',
    dashscope: 'alibaba',
    gateway: 'vercel',
    gemini: 'google',
    'google-vertex': 'google',
    mistralai: 'mistral',
    moonshot: 'moonshotai',
    qwen: 'alibaba',
    vertex: 'google',
    xai: 'x-ai',
    'z-ai': 'zai',
  }),
)

/** Ends of host names; a host belongs to the first one that is its end on a label boundary. */
const hosts: readonly (readonly [end: string, provider: string])[] = [
  ['api.anthropic.com', 'anthropic'],
  ['api.openai.com', 'openai'],
  ['openai.azure.com', 'azure'],
  ['services.ai.azure.com', 'azure'],
  ['cognitiveservices.azure.com', 'azure'],
  ['googleapis.com', 'google'],
  ['api.x.ai', 'x-ai'],
  ['openrouter.ai', 'openrouter'],
  ['ai-gateway.vercel.sh', 'vercel'],
  ['api.deepseek.com', 'deepseek'],
  ['api.mistral.ai', 'mistral'],
  ['api.groq.com', 'groq'],
  ['api.cerebras.ai', 'cerebras'],
  ['api.cohere.com', 'cohere'],
  ['api.cohere.ai', 'cohere'],
  ['api.fireworks.ai', 'fireworks'],
  ['api.githubcopilot.com', 'github-copilot'],
  ['api.minimax.io', 'minimax'],
  ['api.minimaxi.com', 'minimax'],
  ['api.moonshot.ai', 'moonshotai'],
  ['api.moonshot.cn', 'moonshotai'],
  ['api.perplexity.ai', 'perplexity'],
  ['api.z.ai', 'zai'],
  ['aliyuncs.com', 'alibaba'],
]

const bedrockHost = /^bedrock-runtime(?:-fips)?\.[a-z0-9-]+\.amazonaws\.com$/

/** One name for each provider. Takes an SDK's form too, such as `openai.responses` or `google.vertex.chat`. */
export function canonicalProvider(provider: string): string {
  const [name = ''] = provider.trim().toLowerCase().replaceAll('_', '-').split('.')
  return otherNames.get(name) ?? name
}

/** The provider that answers at an absolute URL; undefined for an app's own proxy. */
export function providerFromUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname } = new URL(url)
  if (bedrockHost.test(hostname)) return 'aws'
  return hosts.find(([end]) => hostname === end || hostname.endsWith(`.${end}`))?.[1]
}
