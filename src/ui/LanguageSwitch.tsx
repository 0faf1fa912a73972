import { useLingui } from '@lingui/react/macro'
import { LANGUAGE_NAMES, LANGUAGES } from './i18n.ts'
import classes from './LanguageSwitch.module.css'
import { useSetLanguage } from './useSetLanguage.ts'

/** `onSwitch`: called before the words change. */
export function LanguageSwitch({ onSwitch }: { onSwitch?: () => void }) {
  const { i18n, t } = useLingui()
  const setLanguage = useSetLanguage()
  return (
    <fieldset className={classes.switch}>
      <legend className="unseen">{t`Langue`}</legend>
      {LANGUAGES.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={i18n.locale === language}
          onClick={() => {
            onSwitch?.()
            setLanguage(language)
          }}
        >
          <span aria-hidden="true">{language.toUpperCase()}</span>
          <span className="unseen">{LANGUAGE_NAMES[language]}</span>
        </button>
      ))}
    </fieldset>
  )
}
