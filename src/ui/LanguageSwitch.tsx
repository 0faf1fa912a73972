import { useLingui } from '@lingui/react/macro'
import { LANGUAGE_NAMES, LANGUAGES, speak } from './i18n.ts'
import classes from './LanguageSwitch.module.css'
import { toast } from './toast.ts'

export function LanguageSwitch() {
  const { i18n, t } = useLingui()
  return (
    <fieldset className={classes.switch}>
      <legend className="unseen">{t`Langue`}</legend>
      {LANGUAGES.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={i18n.locale === language}
          onClick={() =>
            speak(language).catch(() =>
              toast('error', t`La langue n’a pas pu être chargée. Vérifiez votre connexion.`),
            )
          }
        >
          <span aria-hidden="true">{language.toUpperCase()}</span>
          <span className="unseen">{LANGUAGE_NAMES[language]}</span>
        </button>
      ))}
    </fieldset>
  )
}
