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
export function keepWantedQuote(wanted: Readonly<Record<keyof WantedQuote, string | undefined>> | null) {
  if (wanted) localStorage.setItem(KEY, JSON.stringify(wanted))
  else localStorage.removeItem(KEY)
}

/** Keeps what was typed into the painted calculator, while its code has not come. */
export function keepPaintedQuote(painted: ParentNode) {
  const amount = painted.querySelector<HTMLInputElement>('[name=amount]')
  const [currency, country] = ['currency', 'country'].map((name) =>
    painted.querySelector<HTMLSelectElement>(`[name=${name}]`),
  )
  const isChosen = (select?: HTMLSelectElement | null) =>
    select?.selectedOptions[0]?.defaultSelected === false
  if (amount?.value === amount?.defaultValue && !isChosen(currency) && !isChosen(country)) return
  keepWantedQuote({ amount: amount?.value, currency: currency?.value, country: country?.value })
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
