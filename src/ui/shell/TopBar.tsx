import { Trans } from '@lingui/react/macro'
import { Suspense } from 'react'
import { LanguageSwitch } from '../LanguageSwitch.tsx'
import { Emblem } from '../Logo.tsx'
import { later } from '../later.ts'
import { ProfileButton } from './ProfileButton.tsx'
import classes from './TopBar.module.css'

const ProfileMenu = later(async () => (await import('./ProfileMenu.tsx')).ProfileMenu)

/** Greeting, language and the person's menu. Specification, section 2. */
export function TopBar({
  name,
  email,
  onProfile,
  onSignOut,
}: {
  name: string
  email: string | null
  onProfile: () => void
  onSignOut: () => void
}) {
  const greeted = name.toLocaleUpperCase()
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
        <div className={classes.wide}>
          <LanguageSwitch />
        </div>
        <Suspense fallback={<ProfileButton name={name} disabled />}>
          <ProfileMenu name={name} email={email} onProfile={onProfile} onSignOut={onSignOut} />
        </Suspense>
      </div>
    </header>
  )
}
