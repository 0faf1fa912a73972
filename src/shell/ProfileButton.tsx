import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { initialsOf } from '../../domain/name.ts'
import classes from './TopBar.module.css'

/** Opens the person's menu: a hamburger on a phone, initials elsewhere. */
export function ProfileButton({
  name,
  className = '',
  ...rest
}: { name: string } & ComponentProps<'button'>) {
  const { t } = useLingui()
  const shown = initialsOf(name)
  return (
    <button
      type="button"
      {...rest}
      className={`${classes.opener} ${className}`}
      // The name contains what is seen, so that people who speak to the device can say it.
      aria-label={`${t`Menu du profil`}, ${shown}`}
    >
      <span className={classes.initials} aria-hidden="true">
        {shown}
      </span>
      <svg viewBox="0 0 24 24" className={classes.hamburger} aria-hidden="true">
        <path d="M4 7h16M4 12h16M4 17h16" />
      </svg>
    </button>
  )
}
