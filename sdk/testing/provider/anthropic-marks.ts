import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import type { PlacedBlock } from './anthropic-blocks.ts'
import type { AnthropicRule } from './anthropic-rule.ts'
import { objectsOf, textOf } from './json-reading.ts'

/** How many blocks are marked for the cache, which, and for how long. */
export const markFault: AnthropicRule = (_, body) => {
  const marks = marksOf(body)
  if (marks.length > 4)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`
  const thinking = marks.find(({ block }) => /thinking$/.test(textOf(block.type)))
  if (thinking)
    return `${thinking.path.replace(/cache_control$/, `${textOf(thinking.block.type)}.$&`)}: Extra inputs are not permitted`
  const short = marks.findIndex(({ block }) => lifetimeOf(block) === '5m')
  const late = marks.find(({ block }, order) => order > short && short >= 0 && lifetimeOf(block) === '1h')
  return late === undefined
    ? null
    : `${late.path}.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`
}

function lifetimeOf({ cache_control: mark }: JsonObject): string {
  return isObject(mark) && mark.ttl === '1h' ? '1h' : '5m'
}

/** In the order of the prefix; the request's own mark stands at its end. */
function marksOf(body: JsonObject): readonly PlacedBlock[] {
  return [
    ...marksIn(body.tools, 'tools'),
    ...marksIn(body.system, 'system'),
    ...objectsOf(body.messages).flatMap(({ content }, place) =>
      marksIn(content, `messages.${place}.content`),
    ),
    ...(isObject(body.cache_control) ? [{ block: body, path: 'cache_control' }] : []),
  ]
}

/** Content may stand in content: that of a result, and of a document in it. */
function marksIn(list: JsonValue | undefined, path: string): readonly PlacedBlock[] {
  return objectsOf(list).flatMap((block, position) => {
    const at = `${path}.${position}`
    const inner = marksIn(block.content, `${at}.content`)
    return isObject(block.cache_control) ? [...inner, { block, path: `${at}.cache_control` }] : inner
  })
}
