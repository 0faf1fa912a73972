import { type CountryCode, DESTINATIONS } from '../../domain/destinations.ts'
import { SOURCE_CURRENCIES, type SourceCurrency } from '../../domain/money.ts'
import { textOf } from './keptForms.ts'
import { deviceStore } from './storage.ts'

/** What somebody typed into the calculator before they signed in. */
export interface WantedQuote {
  readonly amount: string
  readonly currency: SourceCurrency
  readonly country: CountryCode
  /** What was typed to arrive, where nobody has reckoned yet what that takes. */
  readonly arrives?: string
}

/** The link of the verification mail may open another tab, so the quote is kept for all of them until the form takes it. */
export const keepWantedQuote = (
  wanted: { readonly [Field in keyof WantedQuote]: string | undefined } | null,
) => deviceStore.set('wantedQuote', wanted)

/** Keeps what was typed into the painted calculator, while its code has not come. */
export function keepPaintedQuote(painted: ParentNode) {
  const [amount, arrives] = ['amount', 'arrives'].map((name) =>
    painted.querySelector<HTMLInputElement>(`[name=${name}]`),
  )
  const [currency, country] = ['currency', 'country'].map((name) =>
    painted.querySelector<HTMLSelectElement>(`[name=${name}]`),
  )
  const isChosen = (select?: HTMLSelectElement | null) =>
    select?.selectedOptions[0]?.defaultSelected === false
  const isTyped = (input?: HTMLInputElement | null) => input?.value !== input?.defaultValue
  if (!isTyped(amount) && !isTyped(arrives) && !isChosen(currency) && !isChosen(country)) return
  const pays = isTyped(arrives) ? { amount: '', arrives: arrives?.value } : { amount: amount?.value }
  keepWantedQuote({ ...pays, currency: currency?.value, country: country?.value })
}

/** Null when nothing was typed, or when the storage holds something else. */
export function wantedQuote(): WantedQuote | null {
  const kept = deviceStore.get('wantedQuote')
  const currency = SOURCE_CURRENCIES.find((known) => known === kept?.currency)
  const country = DESTINATIONS.find(({ code }) => code === kept?.country)?.code
  const arrives = textOf(kept?.arrives)
  return currency && country
    ? { amount: textOf(kept?.amount), currency, country, ...(arrives && { arrives }) }
    : null
}
