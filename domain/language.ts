/** The two languages of the interface. Specification, section 1. */
export type Language = 'fr' | 'en'

/**
 * The locale in which numbers and dates are written. `en-GB` for English, because its day-month order and 24 hours
 * are what people in Europe read; both locales tell a Canadian dollar from another dollar ('$CA', 'CA$').
 */
export function localeOf(language: Language): 'fr-FR' | 'en-GB' {
  return language === 'fr' ? 'fr-FR' : 'en-GB'
}
