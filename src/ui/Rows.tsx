import type { ReactNode } from 'react'
import classes from './Rows.module.css'

/** Entries that lead further, one below the other. */
export function Rows({ children }: { children: ReactNode }) {
  return <ul className={classes.rows}>{children}</ul>
}

/** An entry that opens a page or a dialog. */
export function Row({
  onOpen,
  note,
  children,
}: {
  onOpen: () => void
  /** What is to be found there. */
  note?: ReactNode
  children: ReactNode
}) {
  return (
    <li>
      <button type="button" className={classes.row} onClick={onOpen}>
        <span className={classes.words}>
          <strong>{children}</strong>
          {note && <span className={classes.note}>{note}</span>}
        </span>
        <svg viewBox="0 0 24 24" className={classes.arrow} aria-hidden="true">
          <path d="m9 5 7 7-7 7" />
        </svg>
      </button>
    </li>
  )
}
