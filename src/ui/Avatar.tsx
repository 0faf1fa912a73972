import { findDestination } from '../../domain/destinations.ts'
import { getInitials } from '../../domain/name.ts'
import classes from './Avatar.module.css'
import { Flag } from './Flag.tsx'
import { selectPersonColour } from './personColour.ts'

/**
 * A person: initials, or the last four digits of a number without a name; the flag of the country is a badge.
 * Hidden from screen readers, because the name or the number is next to it.
 */
export function Avatar({ name, phone }: { name?: string | null | undefined; phone?: string | undefined }) {
  const destination = phone ? findDestination(phone) : null
  return (
    <span className={classes.avatar} data-colour={selectPersonColour(phone ?? name ?? '')} aria-hidden="true">
      {name ? getInitials(name) : phone?.slice(-4)}
      {destination && <Flag code={destination.code} />}
    </span>
  )
}
