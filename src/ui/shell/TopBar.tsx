import { Trans, useLingui } from '@lingui/react/macro'
import { Menu } from '@mantine/core'
import { LANGUAGE_NAMES, LANGUAGES, speak } from '../i18n.ts'
import { LanguageSwitch } from '../LanguageSwitch.tsx'
import { Emblem } from '../Logo.tsx'
import classes from './TopBar.module.css'

/**
 * Greeting, language and the person's menu. On a phone the menu is a hamburger and holds the languages too.
 * Specification, section 2.
 */
export function TopBar({
  name,
  email,
  onSignOut,
}: {
  name: string
  email: string | null
  onSignOut: () => void
}) {
  const { t, i18n } = useLingui()
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
        <div className={classes.wide}>
          <LanguageSwitch />
        </div>
        <Menu position="bottom-end" width="min(18rem, 90vw)" returnFocus>
          <Menu.Target>
            <button type="button" className={classes.opener} aria-label={t`Menu du profil`}>
              <span className={classes.initials} aria-hidden="true">
                {initials(name)}
              </span>
              <svg viewBox="0 0 24 24" className={classes.hamburger} aria-hidden="true">
                <path d="M4 7h16M4 12h16M4 17h16" />
              </svg>
            </button>
          </Menu.Target>
          <Menu.Dropdown className={classes.menu}>
            {email && <Menu.Label className={classes.email}>{email}</Menu.Label>}
            {LANGUAGES.filter((language) => language !== i18n.locale).map((language) => (
              <Menu.Item
                key={language}
                lang={language}
                className={`${classes.item} ${classes.narrow}`}
                onClick={() => speak(language)}
              >
                {LANGUAGE_NAMES[language]}
              </Menu.Item>
            ))}
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
