import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { formatMonthHeading, isFirstOfMonth } from '../../../domain/records/history.ts'
import type { StoredTransaction } from '../../cache/database.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './HistoryList.module.css'
import { TransactionRow } from './TransactionRow.tsx'

/** Estimated heights of a row and of a heading, in CSS pixels. Each is measured later. */
const ROW = 69
const HEADING = 44
/** Rows rendered beyond both edges of the window, for fast scrolling. */
const BEYOND = 8

/** Lists transfers by month. Only the rows near the viewport are rendered, however many there are. */
export function HistoryList({
  rows,
  total,
  findName,
  onOpen,
  onNearEnd,
}: {
  rows: readonly StoredTransaction[]
  /** Total number of transfers; null if this device does not know it. */
  total: number | null
  findName: (phone: string) => string | undefined
  onOpen: (transaction: StoredTransaction) => void
  /** Called with whether the end of the list is near the viewport. */
  onNearEnd: (isNear: boolean) => void
}) {
  const list = useRef<HTMLOListElement>(null)
  const [top, setTop] = useState(0)
  // The list moves when content above it appears or disappears.
  useLayoutEffect(() => {
    const now = Math.round((list.current?.getBoundingClientRect().top ?? 0) + scrollY)
    if (now !== top) setTop(now)
  })

  const language = useLanguage()
  const [focused, setFocused] = useState<string | null>(null)
  const focusedAt = focused === null ? -1 : rows.findIndex(({ id }) => id === focused)
  // Keep the focused row rendered, because scrolling would lose the focus. Keep its neighbors too, because
  // the Tab key may move the focus to them before the window has scrolled.
  const inPage = useCallback(
    (range: Range) => {
      const shown = new Set(defaultRangeExtractor(range))
      if (focusedAt >= 0)
        for (const index of [focusedAt - 1, focusedAt, focusedAt + 1]) if (rows[index]) shown.add(index)
      return [...shown].sort((one, other) => one - other)
    },
    [focusedAt, rows],
  )
  // Computed once, because the library calls `estimateSize` for every row after each measurement.
  const isFirst = useMemo(() => rows.map((_row, index) => isFirstOfMonth(rows, index)), [rows])
  // A new function would make the library lay out all rows again.
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
      // biome-ignore lint/a11y/noRedundantRoles: Safari needs the role for a list without bullets
      role="list"
      className={classes.list}
      style={{ height: virtual.getTotalSize() }}
      // Ignores a blur that only moves the focus to another row.
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
            data-first={isFirst[index]}
            data-last={isFirst[index + 1] ?? true}
            className={classes.item}
            style={{ transform: `translateY(${start - top}px)` }}
            aria-setsize={total ?? -1}
            aria-posinset={index + 1}
            onFocus={() => setFocused(row.id)}
          >
            {isFirst[index] && (
              <h2 className={classes.month}>{formatMonthHeading(row.createdAt, language)}</h2>
            )}
            <TransactionRow row={row} name={findName(row.recipientPhone)} onOpen={() => onOpen(row)} />
          </li>
        )
      })}
    </ol>
  )
}
