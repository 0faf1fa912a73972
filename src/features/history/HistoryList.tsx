import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { formatMonthHeading, isFirstOfMonth } from '../../../domain/records/history.ts'
import type { StoredTransaction } from '../../cache/database.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './HistoryList.module.css'
import { TransactionRow } from './TransactionRow.tsx'

/** Estimated heights in CSS pixels. */
const ROW = 69
const HEADING = 44
const BEYOND = 8

/** Only the rows near the viewport are rendered, however many there are. */
export function HistoryList({
  rows,
  total,
  findName,
  onOpen,
  onNearEnd,
}: {
  rows: readonly StoredTransaction[]
  /** Null if this device does not know the total. */
  total: number | null
  findName: (phone: string) => string | undefined
  onOpen: (transaction: StoredTransaction) => void
  onNearEnd: (isNear: boolean) => void
}) {
  const list = useRef<HTMLOListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const now = Math.round((list.current?.getBoundingClientRect().top ?? 0) + scrollY)
    if (now !== top) setTop(now)
  })

  const language = useLanguage()
  const [focusId, setFocusId] = useState<string | null>(null)
  const focusIndex = focusId === null ? -1 : rows.findIndex(({ id }) => id === focusId)
  // Scrolling would lose the focus of a row that is not rendered. The Tab key may move it to a neighbor.
  const inPage = useCallback(
    (range: Range) => {
      const indexes = new Set(defaultRangeExtractor(range))
      if (focusIndex >= 0)
        for (const index of [focusIndex - 1, focusIndex, focusIndex + 1]) if (rows[index]) indexes.add(index)
      return [...indexes].sort((one, other) => one - other)
    },
    [focusIndex, rows],
  )
  // The library calls `estimateSize` for every row after each measurement.
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
  const items = virtual.getVirtualItems()

  const isNearEnd = (virtual.range?.endIndex ?? 0) >= rows.length - 2 * BEYOND
  useEffect(() => onNearEnd(isNearEnd), [isNearEnd, onNearEnd])

  return (
    <ol
      ref={list}
      // biome-ignore lint/a11y/noRedundantRoles: Safari needs the role for a list without bullets
      role="list"
      className={classes.list}
      style={{ height: virtual.getTotalSize() }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setFocusId(null)
      }}
    >
      {items.map(({ index, key, start }) => {
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
            onFocus={() => setFocusId(row.id)}
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
