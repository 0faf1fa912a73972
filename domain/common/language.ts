/** The two languages of the interface. Specification, section 1. */
export type Language = 'fr' | 'en'

/**
 * The locale for numbers and dates. English uses `en-GB` for its day-month order and 24-hour clock, familiar
 * in Europe. Both locales distinguish Canadian dollars ('$CA', 'CA$').
 */
export function getLocale(language: Language): 'fr-FR' | 'en-GB' {
  return language === 'fr' ? 'fr-FR' : 'en-GB'
}

/** Lists alternatives for a sentence: 'Paylib ou Wero'; 'Paylib / Wero' in a browser without lists. */
export function listAlternatives(names: readonly string[], language: Language): string {
  if (!('ListFormat' in Intl)) return names.join(' / ')
  return new Intl.ListFormat(getLocale(language), { type: 'disjunction' }).format(names)
}
