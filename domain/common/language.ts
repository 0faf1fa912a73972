/** Specification, section 1. */
export type Language = 'fr' | 'en'

/** `en-GB` has day-month order and a 24-hour clock. Both distinguish Canadian dollars ('$CA', 'CA$'). */
export function getLocale(language: Language): 'fr-FR' | 'en-GB' {
  return language === 'fr' ? 'fr-FR' : 'en-GB'
}

/** 'Paylib ou Wero'; 'Paylib / Wero' in a browser without lists. */
export function listAlternatives(names: readonly string[], language: Language): string {
  if (!('ListFormat' in Intl)) return names.join(' / ')
  return new Intl.ListFormat(getLocale(language), { type: 'disjunction' }).format(names)
}
