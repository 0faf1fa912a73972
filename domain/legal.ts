import type { Language } from './language.ts'

/** What the law wants to be seen, in the order in which it is offered. Its texts are in `legal/`, one file for each and language. */
export const LEGAL_PAGES = ['operator', 'terms', 'privacy', 'complaints', 'accessibility'] as const

export type LegalPage = (typeof LEGAL_PAGES)[number]

/** Where such a page is on the site. */
export const legalAddress = (page: LegalPage, language: Language): string => `/legal/${language}/${page}.html`

/** The first line of a text that its operator has not replaced. */
export const TEMPLATE_MARKS: Readonly<Record<Language, string>> = {
  fr: 'Modèle, relu par personne',
  en: 'A template that nobody has reviewed',
}
