import type { Language } from '../../domain/language.ts'

export const LANGUAGES: readonly Language[] = ['fr', 'en']

const STORED = 'passerelle.language'

/** The language chosen on this device; French until somebody chooses. Specification, section 9. */
export function storedLanguage(): Language {
  return LANGUAGES.find((language) => language === localStorage.getItem(STORED)) ?? 'fr'
}

export function storeLanguage(language: Language) {
  try {
    localStorage.setItem(STORED, language)
  } catch {
    // On a device that is full it counts until the page is closed.
  }
}

/** Whether the event says that another tab has stored a language. */
export const isLanguageChange = ({ key }: StorageEvent) => key === STORED
