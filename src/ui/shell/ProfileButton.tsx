import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import classes from './TopBar.module.css'

/** Opens the person's menu: a hamburger on a phone, initials elsewhere. */
export function ProfileButton({ name, ...rest }: { name: string } & ComponentProps<'button'>) {
  const { t } = useLingui()
  return (
    <button type="button" className={classes.opener} aria-label={t`Menu du profil`} {...rest}>
      <span className={classes.initials} aria-hidden="true">
        {initials(name)}
      </span>
      <svg viewBox="0 0 24 24" className={classes.hamburger} aria-hidden="true">
        <path d="M4 7h16M4 12h16M4 17h16" />
      </svg>
    </button>
  )
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toLocaleUpperCase() || '?'
