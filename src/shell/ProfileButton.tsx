import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { getInitials } from '../../domain/people/name.ts'
import { MenuIcon } from '../ui/icons/navigation.ts'
import classes from './TopBar.module.css'

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
      // Users of voice control can say the visible text.
      aria-label={`${t`Menu du profil`}, ${shown}`}
    >
      <span className={classes.initials} aria-hidden="true">
        {shown}
      </span>
      <MenuIcon />
    </button>
  )
}
