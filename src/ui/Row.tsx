import type { ComponentProps, ReactNode } from 'react'
import { ForwardIcon } from './icons/common.ts'
import type { Icon } from './icons/createIcon.tsx'
import classes from './Row.module.css'

export const Rows = ({ children }: { children: ReactNode }) => <ul className={classes.rows}>{children}</ul>

export function Row({
  icon: RowIcon,
  picture,
  title,
  note,
  value,
  hasArrow = true,
  isDisabled = false,
  onOpen,
  link,
  children,
}: {
  icon?: Icon
  picture?: ReactNode
  title?: ReactNode
  note?: ReactNode
  value?: ReactNode
  hasArrow?: boolean
  isDisabled?: boolean
  onOpen?: () => void
  /** Replaces the button by a link. */
  link?: ComponentProps<'a'>
  children?: ReactNode
}) {
  const content = (
    <>
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
      {value && <span className={classes.end}>{value}</span>}
      {hasArrow && (
        <span className={classes.arrow}>
          <ForwardIcon isSmall />
        </span>
      )}
    </>
  )
  return (
    <li>
      {link ? (
        <a className={classes.row} {...link}>
          {content}
        </a>
      ) : (
        <button type="button" translate="no" className={classes.row} onClick={onOpen} disabled={isDisabled}>
          {content}
        </button>
      )}
    </li>
  )
}
