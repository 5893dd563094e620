export type { JsonObject } from './engine/json.ts'
export {
  type Conversation,
  type ConversationFormat,
  type ConversationOptions,
  makeConversation,
  requestAt,
} from './testing/conversation.ts'
export type { ReceivedChat } from './testing/provider/dialect.ts'
export { fetchFrom } from './testing/provider/in-place-of-network.ts'
export type { OverflowStyle, ProviderModel } from './testing/provider/model.ts'
export {
  createProvider,
  type Interference,
  type Provider,
  type ProviderOptions,
  type ProviderRequest,
} from './testing/provider/provider.ts'
export type { ProviderAnswer, ProviderTurn, ProviderUsage } from './testing/provider/turn.ts'
export { solution as rehearsalSolution, task as rehearsalTask } from './testing/rehearsal/documents.ts'
export { modelNames as rehearsalModels } from './testing/rehearsal/model-names.ts'
export { rehearsalProvider } from './testing/rehearsal/provider.ts'
export { documentTools as rehearsalTools, runTool as runRehearsalTool } from './testing/rehearsal/tools.ts'
export type { TestRunner } from './testing/store-contract/test-runner.ts'
export { describeBranchStore } from './testing/store-contract.ts'
