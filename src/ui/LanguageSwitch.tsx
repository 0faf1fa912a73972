import type { Language } from '../../domain/common/language.ts'
import { LANGUAGE_NAMES } from './i18n.ts'
import { GlobeIcon } from './icons/common.ts'
import classes from './LanguageSwitch.module.css'
import { useLanguage } from './useLanguage.ts'
import { useSetLanguage } from './useSetLanguage.ts'

const OTHER: Record<Language, Language> = { fr: 'en', en: 'fr' }

/** `onSwitch`: called before the texts change. */
export function LanguageSwitch({ onSwitch }: { onSwitch?: () => void }) {
  const other = OTHER[useLanguage()]
  const setLanguage = useSetLanguage()
  return (
    <button
      type="button"
      translate="no"
      lang={other}
      className={classes.switch}
      onClick={() => {
        onSwitch?.()
        setLanguage(other)
      }}
    >
      <GlobeIcon isSmall />
      {LANGUAGE_NAMES[other]}
    </button>
  )
}
