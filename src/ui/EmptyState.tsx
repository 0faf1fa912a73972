import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

/** `drawing`: loads with its screen. */
export const EmptyState = ({
  drawing,
  title,
  action,
  children,
}: {
  drawing?: ReactNode
  title: ReactNode
  action?: ReactNode
  children?: ReactNode
}) => (
  <div className={classes.empty}>
    {drawing}
    <p className={classes.title}>{title}</p>
    {children && <p className={classes.sentence}>{children}</p>}
    {action}
  </div>
)
