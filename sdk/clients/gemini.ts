import { type Content, GoogleGenAI, type Part } from '@google/genai'
import { task } from '../testing/rehearsal/documents.ts'
import { documentTools, runTool } from '../testing/rehearsal/tools.ts'
import { type Driver, type DriverOptions, MOST_STEPS, neverEnded } from './driver.ts'

export const googleGenAi: Driver = async ({ model, branch, isStreamed, hasContextTool, ...provided }) => {
  const client = geminiClient(provided)
  const context = hasContextTool ? branch.contextTool.definition('gemini') : null
  const config = {
    systemInstruction: 'You read documents.',
    tools: [
      {
        functionDeclarations: [
          ...documentTools.map(({ name, description, parameters }) => ({
            name,
            description,
            parametersJsonSchema: parameters,
          })),
          ...(context?.functionDeclarations ?? []),
        ],
      },
    ],
  }
  const contents: Content[] = [{ role: 'user', parts: [{ text: task }] }]
  for (let step = 0; step < MOST_STEPS; step++) {
    const request = { model, contents, config }
    const parts: Part[] = []
    if (isStreamed)
      for await (const chunk of await client.models.generateContentStream(request))
        parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []))
    else {
      const response = await client.models.generateContent(request)
      parts.push(...(response.candidates?.[0]?.content?.parts ?? []))
    }
    contents.push({ role: 'model', parts })
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
    if (calls.length === 0) return parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join('')
    const results = calls.map(async (call) => ({
      functionResponse: {
        name: call.name ?? '',
        response: { output: await runTool(branch.contextTool, call.name ?? '', call.args) },
      },
    }))
    contents.push({ role: 'user', parts: await Promise.all(results) })
  }
  return neverEnded()
}

export function geminiClient({ url, fetch }: Pick<DriverOptions, 'url' | 'fetch'>): GoogleGenAI {
  // It sends again only where it is told to.
  const retryOptions = { attempts: 3, initialDelay: 0.001 }
  return new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: url, fetch, retryOptions } })
}
