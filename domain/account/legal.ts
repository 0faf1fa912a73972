import type { Language } from '../common/language.ts'

/** In display order; `legal/` has one file for each page and language. */
export const LEGAL_PAGES = ['operator', 'terms', 'privacy', 'complaints', 'accessibility'] as const

export type LegalPage = (typeof LEGAL_PAGES)[number]

export const getLegalPagePath = (page: LegalPage, language: Language): string =>
  `/legal/${language}/${page}.html`

/** The first line of a text that the operator has not replaced yet. */
export const TEMPLATE_MARKS: Readonly<Record<Language, string>> = {
  fr: 'Modèle, relu par personne',
  en: 'An unreviewed template',
}
