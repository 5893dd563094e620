import { commandTimeoutMs } from './limits.ts'
import type { CommandReply, CommandType, PanelCommand, PanelSource } from './source.ts'

/** Sends a command and always gets a reply: silence and a broken source become reasons. */
export async function ask<Type extends CommandType>(
  source: PanelSource,
  command: PanelCommand<Type>,
): Promise<CommandReply<Type>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<CommandReply<Type>>((resolve) => {
    const reason = `no answer within ${commandTimeoutMs / 1_000} s; try again`
    timer = setTimeout(() => resolve({ type: 'refused', reason }), commandTimeoutMs)
  })
  try {
    return await Promise.race([source.command(command), silence])
  } catch (error) {
    return { type: 'refused', reason: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}
