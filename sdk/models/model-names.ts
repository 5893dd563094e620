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

/**
 * The names under which a model may be listed, from the one it was called by to the plainest: without
 * resource path, vendor, route, cloud revision, date and preview mark. Dots are dashes in all of them.
 */
export function modelNames(model: string): readonly string[] {
  let name = model.trim().toLowerCase().replace(resourcePath, '')
  const names = [plainName(name)]
  for (const ornament of [/^.*\//, bedrockVendor, route, bedrockRevision, newest, date, preview]) {
    name = name.replace(ornament, '')
    names.push(plainName(name))
  }
  return [...new Set(names)]
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
