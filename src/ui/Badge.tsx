import type { ReactNode } from 'react'
import classes from './Badge.module.css'
import type { Icon } from './icons/createIcon.tsx'

export const Badge = ({
  kind = 'neutral',
  icon: BadgeIcon,
  children,
}: {
  kind?: 'success' | 'warning' | 'error' | 'neutral'
  icon?: Icon
  children: ReactNode
}) => (
  <span className={classes.badge} data-kind={kind}>
    {BadgeIcon && <BadgeIcon isSmall />}
    {children}
  </span>
)
