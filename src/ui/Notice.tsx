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
  action,
  children,
}: {
  kind: 'info' | 'success' | 'warning' | 'error'
  title?: ReactNode
  /** Whether it comes into sight, and to the ear, by itself: what it says answers something that was just pressed. */
  isCalling?: boolean
  /** What can be done, beside what is told: a button whose words change is not told again each time. */
  action?: ReactNode
  children?: ReactNode
}) {
  return (
    <div ref={isCalling ? comeIntoSight : undefined} className={classes.notice} data-kind={kind}>
      <div role={isCalling || kind === 'warning' || kind === 'error' ? 'alert' : 'status'}>
        {title && <strong>{title}</strong>}
        {children && <div>{children}</div>}
      </div>
      {action}
    </div>
  )
}

const comeIntoSight = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })
