/** Where a gateway or a cloud keeps the models of a vendor. */
const resourcePath = /^(?:.*\/)?models\//

/** A region and a vendor before the name, as in `us.anthropic.claude-…`. */
const bedrockVendor =
  /^(?:(?:us|us-gov|eu|apac|ap|au|jp|ca|global)\.)?(anthropic|amazon|cohere|deepseek|meta|minimax|mistral|moonshotai?|openai|qwen|zai)\./

const bedrockRevision = /-v\d+(?::\d+)?(?::\d+k)?$/

/** Another route to the same model at the same price. */
const route = /:(?:nitro|floor|exacto|online)$/

const newest = /(?:[-@:]latest|@default)$/

const date = /[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{2}-\d{4}|\d{2}-\d{2})$/

const preview = /-(?:preview|exp)$/

/** What a name may carry behind it, from the outside in. */
const ornaments = [route, bedrockRevision, newest, date, preview]

/**
 * The names under which a model may be listed, from the one it was called by to the plainest: with its vendor
 * first and then without, each without route, cloud revision, date and preview mark. Dots are dashes.
 */
export function modelNames(model: string): readonly string[] {
  const full = model.trim().toLowerCase().replace(resourcePath, '')
  const bare = full.replace(/^.*\//, '').replace(bedrockVendor, '')
  return [...new Set([full, bare].flatMap(barer).map(plainName))]
}

function barer(name: string): readonly string[] {
  const names = [name]
  for (const ornament of ornaments) names.push((names.at(-1) ?? name).replace(ornament, ''))
  return names
}

/** The vendor that a name carries in front, as `openai/gpt-…` or `us.anthropic.claude-…` do. */
export function vendorName(model: string): string | undefined {
  const name = model.trim().toLowerCase().replace(resourcePath, '')
  const slash = name.indexOf('/')
  return slash > 0 ? name.slice(0, slash) : bedrockVendor.exec(name)?.[1]
}

/** A name as names are compared: lower case, dots as dashes. */
export function plainName(name: string): string {
  return name.trim().toLowerCase().replaceAll('.', '-')
}
