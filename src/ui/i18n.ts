import { i18n, type Messages } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Language } from '../domain/language.ts'
import { storeLanguage } from './storedLanguage.ts'
import { typeset } from './typography.ts'

export { LANGUAGES, storedLanguage } from './storedLanguage.ts'

/** Each in its own language, for who does not read the other. */
export const LANGUAGE_NAMES: Record<Language, string> = { fr: 'Français', en: 'English' }

const catalogs: Record<Language, () => Promise<{ messages: Messages }>> = {
  fr: () => import('../locales/fr.po'),
  en: () => import('../locales/en.po'),
}

const TITLE = msg`Passerelle : envoyez de l’argent vers un numéro de téléphone`

/** What the browser calls the page, in the language that was loaded last. */
export const pageTitle = () => i18n._(TITLE)

/** Makes this the language of all messages. */
export async function load(language: Language): Promise<void> {
  const { messages } = await catalogs[language]()
  i18n.load(language, language === 'fr' ? typeset(messages) : messages)
  i18n.activate(language)
}

/** Shows everything in this language and remembers the choice on this device. */
export async function speak(language: Language): Promise<void> {
  await load(language)
  document.documentElement.lang = language
  document.title = pageTitle()
  storeLanguage(language)
}

/** The language on screen now. */
export const currentLanguage = (): Language => (i18n.locale === 'en' ? 'en' : 'fr')
