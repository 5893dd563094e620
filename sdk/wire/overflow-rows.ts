import { overflowRows as anthropicRows } from './anthropic/overflow.ts'
import { overflowRows as geminiRows } from './gemini/overflow.ts'
import { overflowRows as openAiChatRows } from './openai-chat/overflow.ts'
import { serverOverflowRows } from './openai-chat/overflow-servers.ts'
import { overflowRows as openAiResponsesRows } from './openai-responses/overflow.ts'
import { gatewayOverflowRows } from './overflow-gateways.ts'
import type { OverflowRow } from './overflow-row.ts'

/** Every sentence that is known. Proxies pass any of them on in any format, so all are looked for in all. */
export const overflowRows: readonly OverflowRow[] = [
  ...anthropicRows,
  ...openAiChatRows,
  ...openAiResponsesRows,
  ...geminiRows,
  ...serverOverflowRows,
  ...gatewayOverflowRows,
]
