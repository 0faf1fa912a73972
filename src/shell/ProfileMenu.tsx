import { Trans, useLingui } from '@lingui/react/macro'
import { Menu } from '@mantine/core'
import './menuComponents.css'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import { IdentityMark } from '../features/identity/IdentityMark.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { LANGUAGE_NAMES, LANGUAGES } from '../ui/i18n.ts'
import { CloseIcon, ContactsIcon, GlobeIcon, PersonIcon } from '../ui/icons/common.ts'
import type { Icon } from '../ui/icons/createIcon.tsx'
import { HelpIcon, IdentityIcon, SettingsIcon, SignOutIcon } from '../ui/icons/navigation.ts'
import rows from '../ui/Row.module.css'
import { useSetLanguage } from '../ui/useSetLanguage.ts'
import { ProfileButton } from './ProfileButton.tsx'
import type { NavigationTarget } from './pageNames.ts'
import classes from './TopBar.module.css'

/** Specification, section 2. */
export function ProfileMenu({
  uid,
  name,
  email,
  isWanted,
  isFocused,
  onGo,
  onSignOut,
}: {
  uid: string
  name: string
  email: string | null
  /** The user has pressed the button before this component had loaded. */
  isWanted: boolean
  /** This component replaces a focused button. */
  isFocused: boolean
  onGo: (to: NavigationTarget) => void
  onSignOut: () => void
}) {
  const { i18n, t } = useLingui()
  const [isOpen, setOpen] = useState(false)
  const setLanguage = useSetLanguage()
  useEffect(() => setOpen(isWanted), [isWanted])
  // An item that is only hidden would get the focus and lose it.
  const isPhone = useMediaQuery('(max-width: 36rem)')
  const isDesk = useMediaQuery('(min-width: 60rem)')
  const offered = isPhone ? LANGUAGES.filter((language) => language !== i18n.locale) : []
  const item = (to: NavigationTarget, ItemIcon: Icon, label: ReactNode, mark?: ReactNode) => (
    <Menu.Item
      className={classes.item}
      leftSection={<MenuItemIcon icon={ItemIcon} />}
      rightSection={mark}
      onClick={() => onGo(to)}
    >
      {label}
    </Menu.Item>
  )
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width="min(20rem, 90vw)"
      withOverlay={isPhone}
      overlayProps={{ color: 'var(--scrim)', backgroundOpacity: 1 }}
      returnFocus
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      // A fading menu would cover the page that it opened, and take its taps.
      transitionProps={{ exitDuration: 0 }}
    >
      <Menu.Target>
        {/* The library handles Escape only in the menu. */}
        <ProfileButton
          name={name}
          autoFocus={isFocused}
          onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
        />
      </Menu.Target>
      <Menu.Dropdown translate="no" className={classes.menu}>
        <Menu.Label className={classes.person}>
          <Avatar name={name} />
          <span>
            <strong>{name}</strong>
            {email && <span className={classes.email}>{email}</span>}
          </span>
        </Menu.Label>
        {item('profile', PersonIcon, <Trans>Profil</Trans>)}
        {item('identity', IdentityIcon, <Trans>Vérification d’identité</Trans>, <IdentityMark uid={uid} />)}
        {item('contacts', ContactsIcon, <Trans>Contacts</Trans>)}
        {item('settings', SettingsIcon, <Trans>Paramètres</Trans>)}
        {!isDesk && item('contact', HelpIcon, <Trans>Nous contacter</Trans>)}
        {offered.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            className={classes.item}
            leftSection={<MenuItemIcon icon={GlobeIcon} />}
            onClick={() => setLanguage(language)}
          >
            {LANGUAGE_NAMES[language]}
          </Menu.Item>
        ))}
        <Menu.Item
          className={`${classes.item} ${classes.last}`}
          leftSection={<MenuItemIcon icon={SignOutIcon} />}
          onClick={onSignOut}
        >
          <Trans>Se déconnecter</Trans>
        </Menu.Item>
        {isPhone && (
          <Menu.Item className={classes.close} aria-label={t`Fermer`}>
            <CloseIcon />
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

const MenuItemIcon = ({ icon: ItemIcon }: { icon: Icon }) => (
  <span className={rows.icon}>
    <ItemIcon />
  </span>
)
