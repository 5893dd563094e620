import { useRef } from 'react'

export interface ImportButtonProps {
  readonly onFile: (file: File) => void
}

export function ImportButton({ onFile }: ImportButtonProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" onClick={() => field.current?.click()}>
        Import a file…
      </button>
      <input
        ref={field}
        type="file"
        className="unseen"
        tabIndex={-1}
        aria-label="File of branches"
        accept=".dogear"
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
