import type { ComponentProps, ReactNode } from 'react'
import classes from './Facts.module.css'

/** `isCard`: false within a card. */
export const Facts = ({ isCard = true, children }: { isCard?: boolean; children: ReactNode }) => (
  <dl className={classes.facts} data-card={isCard}>
    {children}
  </dl>
)

export const Fact = ({ label, ...value }: ComponentProps<'dd'> & { label: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd {...value} />
  </div>
)
