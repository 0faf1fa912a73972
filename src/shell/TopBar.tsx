import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { LanguageSwitch } from '../ui/LanguageSwitch.tsx'
import { Emblem } from '../ui/Logo.tsx'
import { useLazyComponent } from '../ui/lazyComponent.ts'
import { OpeningPlaceholder } from '../ui/OpeningPlaceholder.tsx'
import { ProfileButton } from './ProfileButton.tsx'
import type { NavigationTarget, PageName } from './pageNames.ts'
import classes from './TopBar.module.css'

const loadProfileMenu = async () => (await import('./ProfileMenu.tsx')).ProfileMenu

/** Specification, section 2. */
export function TopBar({
  uid,
  name,
  email,
  page,
  onGo,
  onSignOut,
}: {
  uid: string
  name: string
  email: string | null
  page: PageName | null
  onGo: (to: NavigationTarget) => void
  onSignOut: () => void
}) {
  const { t } = useLingui()
  const ProfileMenu = useLazyComponent(loadProfileMenu)
  const [isMenuWanted, setMenuWanted] = useState(false)
  const [isMenuFocused, setMenuFocused] = useState(false)
  const greeted = name.toUpperCase()
  const link = (to: NavigationTarget, label: ReactNode) => (
    <button
      type="button"
      translate="no"
      aria-current={to === (page ?? 'send') ? 'page' : undefined}
      onClick={() => onGo(to)}
    >
      {label}
    </button>
  )
  return (
    <header className={classes.bar}>
      <div className={classes.inner}>
        <span className={classes.emblem}>
          <Emblem />
        </span>
        <p className={classes.greeting}>
          <span>
            <Trans>Bonjour</Trans>
          </span>{' '}
          <strong>{greeted}</strong>
        </p>
        <nav className={classes.links} aria-label={t`Navigation`}>
          {link('send', <Trans>Envoyer de l’argent</Trans>)}
          {link('invoices', <Trans>Factures</Trans>)}
          {link('wallet', <Trans>Portefeuille</Trans>)}
          {link('history', <Trans>Activité</Trans>)}
          {link('contact', <Trans>Nous contacter</Trans>)}
        </nav>
        <div className={classes.wide}>
          <LanguageSwitch />
        </div>
        {ProfileMenu ? (
          <ProfileMenu
            {...{ uid, name, email, onGo, onSignOut }}
            isWanted={isMenuWanted}
            isFocused={isMenuWanted || isMenuFocused}
          />
        ) : (
          <>
            <ProfileButton
              name={name}
              onClick={() => setMenuWanted(true)}
              onFocus={() => setMenuFocused(true)}
              onBlur={() => setMenuFocused(false)}
            />
            {isMenuWanted && <OpeningPlaceholder />}
          </>
        )}
      </div>
    </header>
  )
}
