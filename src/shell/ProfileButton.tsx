import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { getInitials } from '../../domain/people/name.ts'
import { MenuIcon } from '../ui/icons/navigation.ts'
import classes from './TopBar.module.css'

/** Button that opens the user's menu: a hamburger on a phone, initials elsewhere. */
export function ProfileButton({
  name,
  className = '',
  ...rest
}: { name: string } & ComponentProps<'button'>) {
  const { t } = useLingui()
  const shown = getInitials(name)
  return (
    <button
      type="button"
      translate="no"
      {...rest}
      className={`${classes.opener} ${className}`}
      // The name contains the visible text, so that users of voice control can say it.
      aria-label={`${t`Menu du profil`}, ${shown}`}
    >
      <span className={classes.initials} aria-hidden="true">
        {shown}
      </span>
      <MenuIcon />
    </button>
  )
}
