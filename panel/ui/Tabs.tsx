import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

export interface Tab<Name extends string> {
  readonly name: Name
  readonly label: ReactNode
}

export interface TabsProps<Name extends string> {
  readonly label: string
  readonly tabs: readonly Tab<Name>[]
  readonly selected: Name
  readonly onSelect: (name: Name) => void
  readonly children: ReactNode
}

/** Tabs with automatic activation: left, right, Home and End move both focus and selection. */
export function Tabs<Name extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Name>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  function onKeyDown(event: KeyboardEvent): void {
    const at = tabs.findIndex((tab) => tab.name === selected)
    const to = {
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      ArrowRight: (at + 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key]
    const tab = to === undefined ? undefined : tabs[to]
    if (!tab) return
    event.preventDefault()
    event.stopPropagation()
    onSelect(tab.name)
    list.current?.querySelector<HTMLElement>(`[data-name="${tab.name}"]`)?.focus()
  }

  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            data-name={tab.name}
            aria-selected={tab.name === selected}
            aria-controls={`${id}-pane`}
            tabIndex={tab.name === selected ? 0 : -1}
            onClick={() => onSelect(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div className="pane" role="tabpanel" id={`${id}-pane`} aria-labelledby={`${id}-${selected}`}>
        {children}
      </div>
    </>
  )
}
