/** A result of the made-up conversation, and the words by which it is found again. */
export interface HarbourResult {
  readonly begins: string
  readonly text: string
}

export interface HarbourTranscript {
  readonly text: string
  readonly messages: number
  readonly rounds: number
  readonly results: readonly HarbourResult[]
}

const cargoes = ['salt', 'timber', 'herring', 'slate', 'tar 🛢', 'hemp', 'glass', 'barley']
const weathers = ['calm', 'fresh from the west', 'fog until noon', 'squalls', 'frost ❄']

/**
 * A harbour office's assistant reads the day books of many days: an OpenAI Chat body of the shape that agents
 * leave, with parallel calls, errors and results of several thousand characters, some outside the basic plane.
 */
export function harbourTranscript(days: number): HarbourTranscript {
  const results: HarbourResult[] = []
  const messages: object[] = [
    { role: 'system', content: 'You keep the harbour office. Read the day books before you answer.' },
    { role: 'user', content: 'How many ships paid the crane fee, day by day?' },
  ]
  for (let day = 1; day <= days; day++) {
    const parallel = day % 4 === 0
    const books = parallel ? ['quay', 'crane'] : ['quay']
    const calls = books.map((book) => ({ id: `call-${day}-${book}`, book }))
    messages.push({
      role: 'assistant',
      content: parallel ? `Day ${day} has two books.` : null,
      tool_calls: calls.map(({ id, book }) => ({
        id,
        type: 'function',
        function: { name: 'read_book', arguments: JSON.stringify({ book, day }) },
      })),
    })
    for (const { id, book } of calls) {
      const content =
        day % 9 === 0 ? `Error: the ${book} book of day ${day} is at the binder's.` : page(book, day)
      results.push({ begins: content.slice(0, 30), text: content })
      messages.push({ role: 'tool', tool_call_id: id, content })
    }
    if (day % 10 === 0) {
      messages.push({ role: 'assistant', content: `Up to day ${day} I have found ${day * 3} fees.` })
      messages.push({ role: 'user', content: `Good. Go on with the days after ${day}.` })
    }
  }
  messages.push({ role: 'assistant', content: `In ${days} days ${days * 3} ships paid.` })
  const rounds = messages.filter((message) => 'role' in message && message.role === 'assistant').length
  const tools = [
    {
      type: 'function',
      function: {
        name: 'read_book',
        description: 'Reads a day book of the harbour office.',
        parameters: { type: 'object', properties: { book: { type: 'string' }, day: { type: 'integer' } } },
      },
    },
  ]
  return {
    text: JSON.stringify({ model: 'gpt-4o', tools, messages }),
    messages: messages.length,
    rounds,
    results,
  }
}

function page(book: string, day: number): string {
  const lines = Array.from({ length: 14 + ((day * 7) % 17) }, (_, at) => {
    const berth = ((day * 31 + at * 17) % 40) + 1
    const tons = 12 + ((day * 13 + at * 29) % 180)
    const cargo = cargoes[(day + at * 3) % cargoes.length]
    return `Berth ${berth}: ${tons} tons of ${cargo}, ${at % 3 === 0 ? 'crane fee paid' : 'unloaded by hand'}, cleared at ${6 + (at % 12)} o'clock.`
  })
  const head = `${book === 'crane' ? 'Crane' : 'Quay'} book, day ${day}. Weather: ${weathers[day % weathers.length]}.`
  return [head, ...lines].join('\n')
}
