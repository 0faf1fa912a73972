import { i18n, type Messages } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Language } from '../../domain/common/language.ts'
import { deviceStore } from '../browser/storage.ts'
import { getStoredLanguage } from '../browser/storedLanguage.ts'
import { typesetCatalog } from './typography.ts'

export { LANGUAGES } from '../browser/storedLanguage.ts'

/** Name of each language in that language, for users who can't read the other one. */
export const LANGUAGE_NAMES: Record<Language, string> = { fr: 'Français', en: 'English' }

type Catalogs = Record<Language, () => Promise<{ messages: Messages }>>

const catalogs: Catalogs = {
  fr: () => import('../locales/fr.po'),
  en: () => import('../locales/en.po'),
}
/** Catalogs of the messages behind the sign-in; lingui.config.ts lists their files. */
const signedInCatalogs: Catalogs = {
  fr: () => import('../locales/signedIn/fr.po'),
  en: () => import('../locales/signedIn/en.po'),
}
/** Catalogs of pages and sheets over the home screen; lingui.config.ts lists their files. */
const pageCatalogs: Catalogs = {
  fr: () => import('../locales/pages/fr.po'),
  en: () => import('../locales/pages/en.po'),
}
/** The messages that were requested last. The earlier ones stay active until these have loaded. */
let requested: { readonly language: Language; readonly parts: readonly Catalogs[] } = {
  language: 'fr',
  parts: [catalogs],
}

/**
 * The active messages. Activating them again would render prerendered parts that wait for their chunk, and
 * lose the focus.
 */
let shown: typeof requested | null = null

const TITLE = msg`Passerelle : envoyez de l’argent vers un numéro de téléphone`

/** Returns the page's title, in the language that was loaded last. */
export const pageTitle = () => i18n._(TITLE)

/**
 * Loads all messages in this language. Resolves when the last requested language has loaded, which may be
 * another one by then.
 */
export async function loadLanguage(language: Language): Promise<void> {
  requested = { ...requested, language }
  await loadRequested()
}

/** Loads the messages of the screens behind the sign-in, before those are shown. */
export const loadSignedInMessages = () => add(signedInCatalogs)

/** Returns the chunk of a page or sheet once its messages have loaded too. */
export async function loadWithPageMessages<Code>(code: Promise<Code>): Promise<Code> {
  const [loaded] = await Promise.all([code, add(pageCatalogs)])
  return loaded
}

async function add(part: Catalogs): Promise<void> {
  requested = { ...requested, parts: [...new Set([...requested.parts, part])] }
  await loadRequested()
}

async function loadRequested(): Promise<void> {
  const loading = requested
  if (loading.language === shown?.language && loading.parts.every((part) => shown?.parts.includes(part)))
    return
  try {
    const parts = await Promise.all(loading.parts.map((part) => part[loading.language]()))
    if (loading !== requested) return await loadRequested()
    const messages: Messages = Object.assign({}, ...parts.map((part) => part.messages))
    i18n.load(loading.language, loading.language === 'fr' ? typesetCatalog(messages) : messages)
    i18n.activate(loading.language)
    shown = loading
  } catch (error) {
    // The next call must not wait for a language that failed to load.
    if (loading === requested) requested = { ...requested, language: currentLanguage() }
    throw error
  }
}

/** Shows everything in this language and remembers the choice on this device. */
export async function setLanguage(language: Language): Promise<void> {
  await loadLanguage(language)
  // The user has chosen another language in the meantime.
  if (currentLanguage() !== language) return
  document.documentElement.lang = language
  document.title = pageTitle()
  // The opening script adds the link, which development lacks.
  document.querySelector('link[rel=manifest]')?.setAttribute('href', `/manifest.${language}.webmanifest`)
  deviceStore.set('language', language)
}

/**
 * Follows the language that another tab has chosen or will choose, until the returned function is called.
 * Offline, this tab keeps its language.
 */
export function followLanguageOfOtherTabs(): () => void {
  const follow = () => void setLanguage(getStoredLanguage()).catch(() => undefined)
  follow()
  return deviceStore.watch('language', follow)
}

/** Returns the language on screen. */
export const currentLanguage = (): Language => (i18n.locale === 'en' ? 'en' : 'fr')
