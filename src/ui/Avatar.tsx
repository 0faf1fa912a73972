import type { CSSProperties } from 'react'
import { findDestination } from '../../domain/numbers/destinations.ts'
import { getInitials } from '../../domain/people/name.ts'
import classes from './Avatar.module.css'
import { Flag } from './Flag.tsx'
import { selectPersonHue } from './personHue.ts'

/** Hidden from screen readers, because the name or the number is next to it. */
export function Avatar({
  name,
  phone,
  digits = phone?.slice(-4),
}: {
  name?: string | null | undefined
  phone?: string | undefined
  /** Replaces missing initials. */
  digits?: string | undefined
}) {
  const destination = phone ? findDestination(phone) : null
  return (
    <span
      className={classes.avatar}
      data-person
      style={{ '--hue': selectPersonHue(phone ?? name ?? '') } as CSSProperties}
      aria-hidden="true"
    >
      {name ? getInitials(name) : digits}
      {destination && <Flag code={destination.code} />}
    </span>
  )
}
