import type { ComponentProps, ReactNode } from 'react'
import classes from './Facts.module.css'

/** `isCard`: false within a card. */
export const Facts = ({ isCard = true, children }: { isCard?: boolean; children: ReactNode }) => (
  <dl className={classes.facts} data-card={isCard}>
    {children}
  </dl>
)

/** `more`: a line below the value. */
export const Fact = ({
  item,
  label,
  more,
  ...value
}: ComponentProps<'dd'> & { item?: string; label: ReactNode; more?: ReactNode }) => (
  <div data-item={item}>
    <dt>{label}</dt>
    <dd translate="no" {...value} />
    {more && <dd className={classes.more}>{more}</dd>}
  </div>
)
