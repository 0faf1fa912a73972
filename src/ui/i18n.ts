import { i18n, type Messages } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Language } from '../../domain/language.ts'
import { deviceStore } from '../browser/storage.ts'
import { storedLanguage } from '../browser/storedLanguage.ts'
import { typeset } from './typography.ts'

export { LANGUAGES } from '../browser/storedLanguage.ts'

/** Each name is in its own language, for people who do not read the other. */
export const LANGUAGE_NAMES: Record<Language, string> = { fr: 'Français', en: 'English' }

type Catalogs = Record<Language, () => Promise<{ messages: Messages }>>

const catalogs: Catalogs = {
  fr: () => import('../locales/fr.po'),
  en: () => import('../locales/en.po'),
}
/** The catalogs of the screens behind the sign-in; lingui.config.ts says which these are. */
const signedInCatalogs: Catalogs = {
  fr: () => import('../locales/signedIn/fr.po'),
  en: () => import('../locales/signedIn/en.po'),
}
/** The catalogs of what comes in the place of the home screen, or over it; lingui.config.ts says what that is. */
const pageCatalogs: Catalogs = {
  fr: () => import('../locales/pages/fr.po'),
  en: () => import('../locales/pages/en.po'),
}
/** The messages that were asked for last. Until they are there, the earlier ones stay on the screen. */
let asked: { readonly language: Language; readonly parts: readonly Catalogs[] } = {
  language: 'fr',
  parts: [catalogs],
}

const TITLE = msg`Passerelle : envoyez de l’argent vers un numéro de téléphone`

/** What the browser calls the page, in the language that was loaded last. */
export const pageTitle = () => i18n._(TITLE)

/** Makes this the language of all messages. It ends when the language that was asked for last is there, which may be another by then. */
export async function load(language: Language): Promise<void> {
  asked = { ...asked, language }
  await loadAsked()
}

/** Adds the messages of the screens behind the sign-in, which need them before they are shown. */
export const loadSignedIn = () => add(signedInCatalogs)

/** The code of what comes in the place of the home screen, or over it, once its messages are there too. */
export async function withPages<Code>(code: Promise<Code>): Promise<Code> {
  const [loaded] = await Promise.all([code, add(pageCatalogs)])
  return loaded
}

async function add(part: Catalogs): Promise<void> {
  asked = { ...asked, parts: [...new Set([...asked.parts, part])] }
  await loadAsked()
}

async function loadAsked(): Promise<void> {
  const mine = asked
  try {
    const parts = await Promise.all(mine.parts.map((part) => part[mine.language]()))
    if (mine !== asked) return await loadAsked()
    const messages: Messages = Object.assign({}, ...parts.map((part) => part.messages))
    i18n.load(mine.language, mine.language === 'fr' ? typeset(messages) : messages)
    i18n.activate(mine.language)
  } catch (error) {
    // The next call must not wait for a language that did not come.
    if (mine === asked) asked = { ...asked, language: currentLanguage() }
    throw error
  }
}

/** Shows everything in this language and remembers the choice on this device. */
export async function setLanguage(language: Language): Promise<void> {
  await load(language)
  // The person has chosen another language meanwhile.
  if (currentLanguage() !== language) return
  document.documentElement.lang = language
  document.title = pageTitle()
  deviceStore.set('language', language)
}

/** Takes over a language that is chosen in another tab. Without a network this tab stays as it was. */
export function followOtherTabs() {
  deviceStore.watch('language', () => setLanguage(storedLanguage()).catch(() => undefined))
}

/** The language on screen now. */
export const currentLanguage = (): Language => (i18n.locale === 'en' ? 'en' : 'fr')
