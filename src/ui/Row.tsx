import type { ReactNode } from 'react'
import { ForwardIcon } from './icons/common.ts'
import type { Icon } from './icons/createIcon.tsx'
import classes from './Row.module.css'

/** A list of rows on one card. */
export const Rows = ({ children }: { children: ReactNode }) => <ul className={classes.rows}>{children}</ul>

/** A row that opens a page or a sheet: a title, a note and a value. */
export function Row({
  icon: RowIcon,
  picture,
  title,
  note,
  value,
  valueNote,
  hasArrow = true,
  isDisabled = false,
  onOpen,
  children,
}: {
  icon?: Icon
  /** Shown instead of an icon, for example an avatar. */
  picture?: ReactNode
  title?: ReactNode
  /** The second line. */
  note?: ReactNode
  /** Shown at the end of the row: an amount, the current value, or a badge. */
  value?: ReactNode
  /** The second line at the end of the row. */
  valueNote?: ReactNode
  hasArrow?: boolean
  isDisabled?: boolean
  onOpen: () => void
  /** Instead of the title and the note, for a row with lines of its own. */
  children?: ReactNode
}) {
  return (
    <li>
      <button type="button" translate="no" className={classes.row} onClick={onOpen} disabled={isDisabled}>
        {RowIcon ? (
          <span className={classes.icon}>
            <RowIcon />
          </span>
        ) : (
          picture
        )}
        <span className={classes.lines}>
          {children}
          {title && <strong className={classes.title}>{title}</strong>}
          {note && <span className={classes.note}>{note}</span>}
        </span>
        {(value || valueNote) && (
          <span className={classes.end}>
            {value}
            {valueNote && <span className={classes.note}>{valueNote}</span>}
          </span>
        )}
        {hasArrow && (
          <span className={classes.arrow}>
            <ForwardIcon isSmall />
          </span>
        )}
      </button>
    </li>
  )
}
