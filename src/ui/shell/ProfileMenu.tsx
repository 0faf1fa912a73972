import { Trans, useLingui } from '@lingui/react/macro'
import { Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { LANGUAGE_NAMES, LANGUAGES, speak } from '../i18n.ts'
import { ProfileButton } from './ProfileButton.tsx'
import classes from './TopBar.module.css'

/** The person's menu; on a phone it holds the languages too. Specification, section 2. */
export function ProfileMenu({
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
  const { i18n } = useLingui()
  // Elsewhere the languages stand in the bar. An item that is only hidden would be given the focus, and lose it.
  const isPhone = useMediaQuery('(max-width: 36rem)')
  const offered = isPhone ? LANGUAGES.filter((language) => language !== i18n.locale) : []
  return (
    <Menu
      position="bottom-end"
      width="min(18rem, 90vw)"
      returnFocus
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <ProfileButton name={name} />
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        {email && <Menu.Label className={classes.email}>{email}</Menu.Label>}
        <Menu.Item className={classes.item} onClick={onProfile}>
          <Trans>Profil</Trans>
        </Menu.Item>
        {offered.map((language) => (
          <Menu.Item key={language} lang={language} className={classes.item} onClick={() => speak(language)}>
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
