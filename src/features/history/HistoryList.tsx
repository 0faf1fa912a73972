import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { monthHeading, startsMonth } from '../../../domain/history.ts'
import type { KeptTransaction } from '../../cache/database.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './HistoryList.module.css'
import { TransactionRow } from './TransactionRow.tsx'

/** The rough heights of a row and of a heading, in CSS pixels. Each is measured later. */
const ROW = 74
const HEADING = 44
/** How many rows are drawn beyond both edges of the window, because a fast finger is there soon. */
const BEYOND = 8

/** Transfers by month. Of any number of them only those near the window are in the page. */
export function HistoryList({
  rows,
  total,
  nameOf,
  onOpen,
  onNearEnd,
}: {
  rows: readonly KeptTransaction[]
  /** How many there are in all; null when that is not known here. */
  total: number | null
  nameOf: (phone: string) => string | undefined
  onOpen: (transaction: KeptTransaction) => void
  /** Called with whether the end of the rows is about to come into sight. */
  onNearEnd: (isNear: boolean) => void
}) {
  const list = useRef<HTMLOListElement>(null)
  const [top, setTop] = useState(0)
  // The place of the list changes, because what stands above it comes and goes.
  useLayoutEffect(() => {
    const now = Math.round((list.current?.getBoundingClientRect().top ?? 0) + scrollY)
    if (now !== top) setTop(now)
  })

  const language = useLanguage()
  const [focused, setFocused] = useState<string | null>(null)
  const focusedAt = focused === null ? -1 : rows.findIndex(({ id }) => id === focused)
  // The row with the focus stays in the page, or scrolling would lose the focus. Its neighbours stay too: the tab key may
  // lead to them before the window has scrolled.
  const inPage = useCallback(
    (range: Range) => {
      const shown = new Set(defaultRangeExtractor(range))
      if (focusedAt >= 0)
        for (const index of [focusedAt - 1, focusedAt, focusedAt + 1]) if (rows[index]) shown.add(index)
      return [...shown].sort((one, other) => one - other)
    },
    [focusedAt, rows],
  )
  // The library calls this for each row whenever one was measured.
  const isFirst = useMemo(() => rows.map((_row, index) => startsMonth(rows, index)), [rows])
  // With a new function the library would lay out all rows anew.
  const keyAt = useCallback((index: number) => rows[index]?.id ?? index, [rows])
  const virtual = useWindowVirtualizer<HTMLLIElement>({
    count: rows.length,
    estimateSize: (index) => ROW + (isFirst[index] ? HEADING : 0),
    getItemKey: keyAt,
    overscan: BEYOND,
    scrollMargin: top,
    rangeExtractor: inPage,
  })
  const shown = virtual.getVirtualItems()

  const isNearEnd = (virtual.range?.endIndex ?? 0) >= rows.length - 2 * BEYOND
  useEffect(() => onNearEnd(isNearEnd), [isNearEnd, onNearEnd])

  return (
    <ol
      ref={list}
      // biome-ignore lint/a11y/noRedundantRoles: to Safari a list without bullets is no list unless it says so
      role="list"
      className={classes.list}
      style={{ height: virtual.getTotalSize() }}
      // When the focus goes from one row to another, the list must not forget in between that it has the focus.
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setFocused(null)
      }}
    >
      {shown.map(({ index, key, start }) => {
        const row = rows[index]
        if (!row) return null
        return (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className={classes.item}
            style={{ transform: `translateY(${start - top}px)` }}
            aria-setsize={total ?? -1}
            aria-posinset={index + 1}
            onFocus={() => setFocused(row.id)}
          >
            {isFirst[index] && <h2 className={classes.month}>{monthHeading(row.createdAt, language)}</h2>}
            <TransactionRow row={row} name={nameOf(row.recipientPhone)} onOpen={() => onOpen(row)} />
          </li>
        )
      })}
    </ol>
  )
}
