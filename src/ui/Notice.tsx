import type { ReactNode } from 'react'
import classes from './Notice.module.css'

/**
 * A message that stays in the page: what happened, whether money moved, what to do next. It comes together with its text, which screen
 * readers are sure to tell of an alert only: whatever must be heard is one.
 */
export function Notice({
  kind,
  title,
  isCalling = false,
  children,
}: {
  kind: 'info' | 'success' | 'warning' | 'error'
  title?: ReactNode
  /** Whether it comes into sight, and to the ear, by itself: what it says answers something that was just pressed. */
  isCalling?: boolean
  children?: ReactNode
}) {
  return (
    <div
      ref={isCalling ? comeIntoSight : undefined}
      className={classes.notice}
      data-kind={kind}
      role={isCalling || kind === 'warning' || kind === 'error' ? 'alert' : 'status'}
    >
      {title && <strong>{title}</strong>}
      {children && <div>{children}</div>}
    </div>
  )
}

const comeIntoSight = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })
