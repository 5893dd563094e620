/** Has the browser save a file, where it saves what is downloaded. */
export function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name.replaceAll(/[\\/:*?"<>|]/g, '-')
  link.click()
  // The download has begun by then, and holds the file itself.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
