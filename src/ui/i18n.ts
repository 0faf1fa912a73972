import { i18n, type Messages } from '@lingui/core'
import type { Language } from '../domain/language.ts'
import { typeset } from './typography.ts'

export const LANGUAGES: readonly Language[] = ['fr', 'en']
const STORED = 'passerelle.language'

const catalogs: Record<Language, () => Promise<{ messages: Messages }>> = {
  fr: () => import('../locales/fr.po'),
  en: () => import('../locales/en.po'),
}

/** The language chosen on this device; French until somebody chooses. Specification, section 9. */
export function storedLanguage(): Language {
  return LANGUAGES.find((language) => language === localStorage.getItem(STORED)) ?? 'fr'
}

/** Shows everything in this language and remembers the choice on this device. */
export async function speak(language: Language): Promise<void> {
  const { messages } = await catalogs[language]()
  i18n.load(language, language === 'fr' ? typeset(messages) : messages)
  i18n.activate(language)
  document.documentElement.lang = language
  localStorage.setItem(STORED, language)
}

/** The language on screen now. */
export const currentLanguage = (): Language => (i18n.locale === 'en' ? 'en' : 'fr')
