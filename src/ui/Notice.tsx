import { type ReactNode, useEffect, useRef } from 'react'
import { useHeadingAfter } from './focusHeading.ts'
import classes from './Notice.module.css'

/**
 * A message that stays in the page: what happened, whether money moved, what to do next. It comes into the page together with its text.
 * Screen readers are then sure to read only an alert aloud, so whatever must be heard is an alert.
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
  /** What can be done. It stands outside of what is read aloud, so that a button whose words change is not read again each time. */
  action?: ReactNode
  children?: ReactNode
}) {
  const notice = useRef<HTMLDivElement>(null)
  // A button in it goes with it.
  useHeadingAfter(notice)
  useEffect(() => {
    if (isCalling) notice.current?.scrollIntoView({ block: 'center' })
  }, [isCalling])
  return (
    <div ref={notice} className={classes.notice} data-kind={kind}>
      <div role={isCalling || kind === 'warning' || kind === 'error' ? 'alert' : 'status'}>
        {title && <strong>{title}</strong>}
        {children && <div>{children}</div>}
      </div>
      {action}
    </div>
  )
}
