import { i18n, type Messages } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Language } from '../../domain/common/language.ts'
import { deviceStore } from '../browser/storage.ts'
import { getStoredLanguage } from '../browser/storedLanguage.ts'

export { LANGUAGES } from '../browser/storedLanguage.ts'

/** For users who can't read the other language. */
export const LANGUAGE_NAMES: Record<Language, string> = { fr: 'Français', en: 'English' }

type Catalogs = Record<Language, () => Promise<{ messages: Messages }>>

const catalogs: Catalogs = {
  fr: () => import('../locales/fr.po'),
  en: () => import('../locales/en.po'),
}
/** lingui.config.ts lists these files. */
const pageCatalogs: Catalogs = {
  fr: () => import('../locales/pages/fr.po'),
  en: () => import('../locales/pages/en.po'),
}
/** The earlier messages stay active until these have loaded. */
let requested: { readonly language: Language; readonly hasPages: boolean } = {
  language: 'fr',
  hasPages: false,
}

/** Activating these messages again would render waiting prerendered parts, and lose the focus. */
let active: typeof requested | null = null

const TITLE = msg`Passerelle : envoyez de l’argent vers un numéro de téléphone`

export const pageTitle = () => i18n._(TITLE)

/** Resolves when the last requested language has loaded, which may be another one by then. */
export async function loadLanguage(language: Language): Promise<void> {
  requested = { ...requested, language }
  await loadRequested()
}

export async function loadWithPageMessages<Code>(code: Promise<Code>): Promise<Code> {
  requested = { ...requested, hasPages: true }
  const [loaded] = await Promise.all([code, loadRequested()])
  return loaded
}

async function loadRequested(): Promise<void> {
  const loading = requested
  const { language, hasPages } = loading
  if (language === active?.language && (active.hasPages || !hasPages)) return
  try {
    const parts = await Promise.all(
      (hasPages ? [catalogs, pageCatalogs] : [catalogs]).map((part) => part[language]()),
    )
    if (loading !== requested) return await loadRequested()
    const messages: Messages = Object.assign({}, ...parts.map((part) => part.messages))
    i18n.load(language, messages)
    i18n.activate(language)
    active = loading
  } catch (error) {
    // The next call must not wait for a language that failed to load.
    if (loading === requested) requested = { ...requested, language: currentLanguage() }
    throw error
  }
}

export async function setLanguage(language: Language): Promise<void> {
  await loadLanguage(language)
  if (currentLanguage() !== language) return
  document.documentElement.lang = language
  document.title = pageTitle()
  // Development lacks the link, which the opening script adds.
  document.querySelector('link[rel=manifest]')?.setAttribute('href', `/manifest.${language}.webmanifest`)
  deviceStore.set('language', language)
}

/** Offline, this tab keeps its language. */
export function followLanguageOfOtherTabs(): () => void {
  const follow = () => void setLanguage(getStoredLanguage()).catch(() => undefined)
  follow()
  return deviceStore.watch('language', follow)
}

export const currentLanguage = (): Language => (i18n.locale === 'en' ? 'en' : 'fr')
