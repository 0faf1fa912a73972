import { type ReactNode, useEffect, useRef } from 'react'
import { useFocusHeadingAfter } from './focusHeading.ts'
import { AlertIcon, CheckIcon, InfoIcon, WarningIcon } from './icons/common.ts'
import classes from './Notice.module.css'

export const NOTICE_ICONS = { info: InfoIcon, success: CheckIcon, warning: WarningIcon, error: AlertIcon }

/**
 * A message in the page: what happened, whether money moved, what to do next. Screen readers reliably
 * announce a message inserted together with its text only if it is an alert, so a message that must be heard
 * is an alert.
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
  /** Whether the notice scrolls into view and is announced, because it responds to a press. */
  isCalling?: boolean
  /** A button outside the announced region, so that a change of its label is not announced. */
  action?: ReactNode
  children?: ReactNode
}) {
  const Icon = NOTICE_ICONS[kind]
  const notice = useRef<HTMLDivElement>(null)
  // A button in the notice disappears with it.
  useFocusHeadingAfter(notice)
  useEffect(() => {
    if (isCalling) notice.current?.scrollIntoView({ block: 'center' })
  }, [isCalling])
  return (
    <div ref={notice} className={classes.notice} data-kind={kind}>
      <Icon />
      <div role={isCalling || kind === 'warning' || kind === 'error' ? 'alert' : 'status'}>
        {title && <strong>{title}</strong>}
        {children && <div>{children}</div>}
      </div>
      {action}
    </div>
  )
}
