/** Major version of a Gemini model; null for one whose name does not tell, such as `gemini-flash-latest`. */
export function geminiMajor(model: string | undefined): number | null {
  const [, major] = /gemini-(\d+)/.exec(model ?? '') ?? []
  return major === undefined ? null : Number(major)
}
