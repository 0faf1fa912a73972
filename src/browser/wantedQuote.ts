import { type CountryCode, DESTINATIONS } from '../../domain/destinations.ts'
import { SOURCE_CURRENCIES, type SourceCurrency } from '../../domain/money.ts'
import { textOf } from './keptForms.ts'

/** What somebody typed into the calculator before they signed in. */
export interface WantedQuote {
  readonly amount: string
  readonly currency: SourceCurrency
  readonly country: CountryCode
}

const KEY = 'passerelle.wantedQuote'

/** The link of the verification mail may open another tab, so it is kept for all of them until the form takes it. */
export function keepWantedQuote(wanted: WantedQuote | null) {
  if (wanted) localStorage.setItem(KEY, JSON.stringify(wanted))
  else localStorage.removeItem(KEY)
}

/** Null when nothing was typed, or when the storage holds something else. */
export function wantedQuote(): WantedQuote | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    const currency = SOURCE_CURRENCIES.find((known) => known === kept.currency)
    const country = DESTINATIONS.find(({ code }) => code === kept.country)?.code
    return currency && country ? { amount: textOf(kept.amount), currency, country } : null
  } catch {
    return null
  }
}
