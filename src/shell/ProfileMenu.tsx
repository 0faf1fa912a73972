import { Trans, useLingui } from '@lingui/react/macro'
import { Menu } from '@mantine/core'
import './menuComponents.css'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { IdentityMark } from '../features/identity/IdentityMark.tsx'
import { LANGUAGE_NAMES, LANGUAGES } from '../ui/i18n.ts'
import { useSetLanguage } from '../ui/useSetLanguage.ts'
import { ProfileButton } from './ProfileButton.tsx'
import type { Destination } from './pageNames.ts'
import classes from './TopBar.module.css'

/** The person's menu; on a phone it holds the contact and the languages too. Specification, section 2. */
export function ProfileMenu({
  uid,
  name,
  email,
  onGo,
  onSignOut,
}: {
  uid: string
  name: string
  email: string | null
  onGo: (to: Destination) => void
  onSignOut: () => void
}) {
  const { i18n } = useLingui()
  const [isOpen, setOpen] = useState(false)
  const setLanguage = useSetLanguage()
  // On a desk these stand in the bar. An item that is only hidden would be given the focus, and lose it.
  const isPhone = useMediaQuery('(max-width: 36rem)')
  const isDesk = useMediaQuery('(min-width: 60rem)')
  const offered = isPhone ? LANGUAGES.filter((language) => language !== i18n.locale) : []
  const item = (to: Destination, label: ReactNode, mark?: ReactNode) => (
    <Menu.Item className={classes.item} rightSection={mark} onClick={() => onGo(to)}>
      {label}
    </Menu.Item>
  )
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width="min(18rem, 90vw)"
      returnFocus
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      // A menu that fades away stands over the page that it led to, and takes its taps.
      transitionProps={{ exitDuration: 0 }}
    >
      <Menu.Target>
        {/* The library hears the key in the menu only, and the focus comes there a moment after the menu. */}
        <ProfileButton name={name} onKeyDown={({ key }) => key === 'Escape' && setOpen(false)} />
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        {email && <Menu.Label className={classes.email}>{email}</Menu.Label>}
        {item('profile', <Trans>Profil</Trans>)}
        {item('identity', <Trans>Vérification d’identité</Trans>, <IdentityMark uid={uid} />)}
        {item('contacts', <Trans>Contacts</Trans>)}
        {item('settings', <Trans>Paramètres</Trans>)}
        {!isDesk && item('contact', <Trans>Nous contacter</Trans>)}
        {offered.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            className={classes.item}
            onClick={() => setLanguage(language)}
          >
            {LANGUAGE_NAMES[language]}
          </Menu.Item>
        ))}
        <Menu.Item className={classes.item} onClick={onSignOut}>
          <Trans>Se déconnecter</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
