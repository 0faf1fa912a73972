import { useLingui } from '@lingui/react/macro'
import type { Language } from '../domain/language.ts'
import { LANGUAGES, speak } from './i18n.ts'
import classes from './LanguageSwitch.module.css'

const NAMES: Record<Language, string> = { fr: 'Français', en: 'English' }

export function LanguageSwitch() {
  const { i18n, t } = useLingui()
  return (
    <fieldset className={classes.switch}>
      <legend className={classes.legend}>{t`Langue`}</legend>
      {LANGUAGES.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={i18n.locale === language}
          onClick={() => speak(language)}
        >
          <span aria-hidden="true">{language.toUpperCase()}</span>
          <span className={classes.legend}>{NAMES[language]}</span>
        </button>
      ))}
    </fieldset>
  )
}
