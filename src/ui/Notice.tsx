import type { ReactNode } from 'react'
import classes from './Notice.module.css'

/** A message that stays in the page: what happened, whether money moved, what to do next. */
export function Notice({
  kind,
  title,
  children,
}: {
  kind: 'info' | 'success' | 'warning' | 'error'
  title?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className={classes.notice} data-kind={kind} role={kind === 'error' ? 'alert' : 'status'}>
      {title && <strong>{title}</strong>}
      {children && <div>{children}</div>}
    </div>
  )
}
