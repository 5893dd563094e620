// biome-ignore-all lint/a11y/useSemanticElements: native table elements lose their meaning once they are laid out as a virtual grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the one tab stop and names its active row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the panel's keys move the selection
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type UIEvent, useEffect, useId, useRef } from 'react'
import { overscanRows } from '../limits.ts'

export interface Column<Row> {
  readonly name: string
  readonly header: string
  /** Numbers stand at the end of their column. */
  readonly numeric?: boolean
  readonly render: (row: Row) => ReactNode
}

export interface GridProps<Row> {
  readonly label: string
  /** Class that gives the grid its columns' widths. */
  readonly className: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string | number
  readonly rowClass?: (row: Row) => string
  /** Position of the selected row; -1 for none. */
  readonly selected: number
  readonly onSelect: (row: Row) => void
  /** Keeps the newest row in sight. */
  readonly follow?: boolean
  /** Called with the rows that are on screen. */
  readonly onVisible?: (rows: readonly Row[]) => void
}

const rowHeight = 26
/** Head row and its two edges. */
const headHeight = 28

/** A table of any length: only the rows in sight are in the document. One tab stop; arrows move the selection. */
export function Grid<Row>(props: GridProps<Row>) {
  const { rows, rowKey, selected, follow = false, onVisible } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const atEnd = useRef(follow)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: overscanRows,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    getItemKey: (position) => {
      const row = rows[position]
      return row === undefined ? position : rowKey(row)
    },
  })
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? -1

  const selectedRow = rows[selected]
  const selectedKey = selectedRow === undefined ? null : rowKey(selectedRow)

  useEffect(() => {
    atEnd.current = follow
  }, [follow])

  useEffect(() => {
    if (!follow || !scroller.current) return
    const toNewest = () => {
      if (atEnd.current) virtualizer.scrollToIndex(rows.length - 1)
    }
    toNewest()
    const resizes = new ResizeObserver(toNewest)
    resizes.observe(scroller.current)
    return () => resizes.disconnect()
  }, [follow, rows.length, virtualizer])

  // biome-ignore lint/correctness/useExhaustiveDependencies: goes to the selection when it changes, and only then
  useEffect(() => {
    if (!follow && selected >= 0) virtualizer.scrollToIndex(selected)
  }, [follow, selectedKey, virtualizer])

  useEffect(() => {
    onVisible?.(rows.slice(first, last + 1))
  }, [onVisible, rows, first, last])

  /** Who scrolls away from the newest row is left there. */
  function noteEnd({ currentTarget }: UIEvent<HTMLDivElement>): void {
    const { scrollHeight, scrollTop, clientHeight } = currentTarget
    atEnd.current = scrollHeight - scrollTop - clientHeight < 2 * rowHeight
  }

  const inDocument = selected >= first && selected <= last
  return (
    <div
      className={`grid ${props.className}`}
      role="grid"
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      aria-colcount={props.columns.length}
      aria-activedescendant={inDocument ? `${id}-${selected}` : undefined}
      tabIndex={0}
      ref={scroller}
      onScroll={noteEnd}
    >
      <div className="grid-head" role="rowgroup">
        <div className="grid-row" role="row" aria-rowindex={1}>
          {props.columns.map((column) => (
            <span key={column.name} role="columnheader" className={cellClass(column)}>
              {column.header}
            </span>
          ))}
        </div>
      </div>
      <div className="grid-body" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index]
          if (row === undefined) return null
          return (
            <div
              key={item.key}
              id={`${id}-${item.index}`}
              className={`grid-row ${props.rowClass?.(row) ?? ''}`}
              role="row"
              aria-rowindex={item.index + 2}
              aria-selected={item.index === selected}
              style={{ transform: `translateY(${item.start - headHeight}px)` }}
              onClick={() => props.onSelect(row)}
            >
              {props.columns.map((column) => (
                <span key={column.name} role="gridcell" className={cellClass(column)}>
                  {column.render(row)}
                </span>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function cellClass<Row>(column: Column<Row>): string {
  return `cell-${column.name}${column.numeric ? ' numeric' : ''}`
}
