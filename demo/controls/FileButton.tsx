import { useRef } from 'react'

export interface FileButtonProps {
  readonly onFile: (file: File) => void
}

/** A button that opens the file dialog; the field itself is only there for the browser. */
export function FileButton({ onFile }: FileButtonProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" onClick={() => field.current?.click()}>
        Open a transcript…
      </button>
      <input
        ref={field}
        type="file"
        className="unseen"
        tabIndex={-1}
        aria-label="Transcript file"
        accept=".json,.jsonl,application/json"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // The same file can be chosen again only where the field has forgotten it.
          target.value = ''
          if (file) onFile(file)
        }}
      />
    </>
  )
}
