import { toolDefinitions } from './archive-tools.ts'
import { findTheCauses, findTheNights, findTheShips, testTheCauses } from './investigation.ts'
import { countTheMantles, reckonTheOil, writeThePanel } from './panel-text.ts'
import { Script } from './script.ts'

export const sampleTitle = 'The light at Skarvøy'

/**
 * A conversation about a made-up archive, as an Anthropic Messages body: the same text on every machine.
 * Archive, people and ships are this project's own invention.
 */
export function sampleTranscript(): string {
  const script = new Script()
  findTheNights(script)
  findTheCauses(script)
  testTheCauses(script)
  findTheShips(script)
  reckonTheOil(script)
  countTheMantles(script)
  writeThePanel(script)
  return JSON.stringify({
    model: 'claude-haiku-4-5',
    max_tokens: 2048,
    system:
      'You help a museum with the archive of Skarvøy light station. Look things up before you state them, name the document, and say plainly where the archive is silent.',
    tools: toolDefinitions,
    messages: script.messages,
  })
}
