import { Trans, useLingui } from '@lingui/react/macro'
import { Menu } from '@mantine/core'
import { LanguageSwitch } from '../LanguageSwitch.tsx'
import { Emblem } from '../Logo.tsx'
import classes from './TopBar.module.css'

/** Greeting, language and the person's menu. Specification, section 2. */
export function TopBar({
  name,
  email,
  onSignOut,
}: {
  name: string
  email: string | null
  onSignOut: () => void
}) {
  const { t } = useLingui()
  const greeted = name.toLocaleUpperCase()
  return (
    <header className={classes.bar}>
      <div className={classes.inner}>
        <span className={classes.emblem}>
          <Emblem />
        </span>
        <p className={classes.greeting}>
          <Trans>
            <span>Bonjour</span> <strong>{greeted}</strong>
          </Trans>
        </p>
        <LanguageSwitch />
        <Menu position="bottom-end" shadow="md" width="16rem" returnFocus>
          <Menu.Target>
            <button type="button" className={classes.profile} aria-label={t`Menu du profil`}>
              {initials(name)}
            </button>
          </Menu.Target>
          <Menu.Dropdown className={classes.menu}>
            {email && <Menu.Label className={classes.email}>{email}</Menu.Label>}
            <Menu.Item className={classes.item} onClick={onSignOut}>
              <Trans>Se déconnecter</Trans>
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </header>
  )
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toLocaleUpperCase() || '?'
