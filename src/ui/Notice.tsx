import { type ReactNode, useEffect, useRef } from 'react'
import { useFocusHeadingAfter } from './focusHeading.ts'
import { AlertIcon, CheckIcon, InfoIcon, WarningIcon } from './icons/common.ts'
import classes from './Notice.module.css'

export const NOTICE_ICONS = { info: InfoIcon, success: CheckIcon, warning: WarningIcon, error: AlertIcon }

/** Screen readers reliably announce a message inserted together with its text only if it is an alert. */
export function Notice({
  kind,
  title,
  isCalling = false,
  action,
  children,
}: {
  kind: 'info' | 'success' | 'warning' | 'error'
  title?: ReactNode
  /** A notice that responds to a press scrolls into view and is announced. */
  isCalling?: boolean
  /** A change of the label outside the announced region is not announced. */
  action?: ReactNode
  children?: ReactNode
}) {
  const Icon = NOTICE_ICONS[kind]
  const notice = useRef<HTMLDivElement>(null)
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
