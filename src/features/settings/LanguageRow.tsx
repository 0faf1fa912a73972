import { Trans, useLingui } from '@lingui/react/macro'
import { LANGUAGE_NAMES, LANGUAGES } from '../../ui/i18n.ts'
import { ForwardIcon, GlobeIcon } from '../../ui/icons/common.ts'
import rows from '../../ui/Row.module.css'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useSetLanguage } from '../../ui/useSetLanguage.ts'
import classes from './Settings.module.css'

/** The row of the language: a native select covers it, so that phones show their own list. */
export function LanguageRow() {
  const { t } = useLingui()
  const setLanguage = useSetLanguage()
  const language = useLanguage()
  return (
    <li>
      <label className={`${rows.row} ${classes.language}`} translate="no">
        <span className={rows.icon}>
          <GlobeIcon />
        </span>
        <span className={rows.lines}>
          <span className={rows.title}>
            <Trans>Langue</Trans>
          </span>
        </span>
        <span className={rows.note}>{LANGUAGE_NAMES[language]}</span>
        <span className={rows.arrow}>
          <ForwardIcon isSmall />
        </span>
        <select
          aria-label={t`Langue de l’application`}
          value={language}
          onChange={({ currentTarget: { value } }) => {
            const chosen = LANGUAGES.find((language) => language === value)
            if (chosen) setLanguage(chosen)
          }}
        >
          {LANGUAGES.map((value) => (
            <option key={value} value={value}>
              {LANGUAGE_NAMES[value]}
            </option>
          ))}
        </select>
      </label>
    </li>
  )
}
