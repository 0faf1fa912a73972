import { i18n, type Messages } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Language } from '../domain/language.ts'
import { storeLanguage } from './storedLanguage.ts'
import { typeset } from './typography.ts'

export { LANGUAGES } from './storedLanguage.ts'

/** Each in its own language, for who does not read the other. */
export const LANGUAGE_NAMES: Record<Language, string> = { fr: 'Français', en: 'English' }

type Catalogs = Record<Language, () => Promise<{ messages: Messages }>>

const catalogs: Catalogs = {
  fr: () => import('../locales/fr.po'),
  en: () => import('../locales/en.po'),
}
/** Of the screens behind the sign-in; lingui.config.ts says which these are. */
const signedInCatalogs: Catalogs = {
  fr: () => import('../locales/signedIn/fr.po'),
  en: () => import('../locales/signedIn/en.po'),
}
let wanted = [catalogs]
let turn = 0

const TITLE = msg`Passerelle : envoyez de l’argent vers un numéro de téléphone`

/** What the browser calls the page, in the language that was loaded last. */
export const pageTitle = () => i18n._(TITLE)

/** Makes this the language of all messages. */
export async function load(language: Language): Promise<void> {
  turn += 1
  const mine = turn
  const parts = await Promise.all(wanted.map((part) => part[language]()))
  // Somebody chose another language in the meantime, or needs more of it.
  if (mine !== turn) return
  const messages: Messages = Object.assign({}, ...parts.map((part) => part.messages))
  i18n.load(language, language === 'fr' ? typeset(messages) : messages)
  i18n.activate(language)
}

/** Adds the messages of the screens behind the sign-in, which need them before they are shown. */
export async function loadSignedIn(): Promise<void> {
  wanted = [catalogs, signedInCatalogs]
  await load(currentLanguage())
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
