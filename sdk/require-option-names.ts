import { DogearError } from './errors.ts'

/** Throws `invalid_argument` for an option that there is none of: a slip in its name would be heard of by nobody. */
export function requireOptionNames<Options extends object>(
  options: Options,
  names: readonly (keyof Options & string)[],
  call: string,
): void {
  const known: ReadonlySet<string> = new Set(names)
  const name = Object.keys(options).find((key) => !known.has(key))
  if (name === undefined) return
  throw new DogearError({
    code: 'invalid_argument',
    message: `${call} has no option named ${JSON.stringify(name.slice(0, 40))}; it takes ${names.join(', ')}; nothing was changed`,
    fields: { name: name.slice(0, 40) },
  })
}
