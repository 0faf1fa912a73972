import { SOURCE_CURRENCIES, type SourceCurrency } from '../../../domain/money/money.ts'
import { type CountryCode, DESTINATIONS } from '../../../domain/numbers/destinations.ts'
import { toTextOrEmpty } from '../../browser/savedForms.ts'
import { deviceStore } from '../../browser/storage.ts'

export interface WantedQuote {
  readonly amount: string
  readonly currency: SourceCurrency
  readonly country: CountryCode
  /** Set until the price has been computed from it. */
  readonly arrives?: string
}

/** The link of the verification mail may open another tab. */
export const saveWantedQuote = (
  wanted: { readonly [Field in keyof WantedQuote]: string | undefined } | null,
) => deviceStore.set('wantedQuote', wanted)

export function savePrerenderedQuote(page: ParentNode) {
  const [amount, arrives] = ['amount', 'arrives'].map((name) =>
    page.querySelector<HTMLInputElement>(`[name=${name}]`),
  )
  const [currency, country] = ['currency', 'country'].map((name) =>
    page.querySelector<HTMLSelectElement>(`[name=${name}]`),
  )
  const isChosen = (select?: HTMLSelectElement | null) =>
    select?.selectedOptions[0]?.defaultSelected === false
  const isTyped = (input?: HTMLInputElement | null) => input?.value !== input?.defaultValue
  if (!isTyped(amount) && !isTyped(arrives) && !isChosen(currency) && !isChosen(country)) return
  const pays = isTyped(arrives) ? { amount: '', arrives: arrives?.value } : { amount: amount?.value }
  saveWantedQuote({ ...pays, currency: currency?.value, country: country?.value })
}

/** Null if nothing was typed or the stored value is invalid. */
export function readWantedQuote(): WantedQuote | null {
  const entry = deviceStore.get('wantedQuote')
  const currency = SOURCE_CURRENCIES.find((one) => one === entry?.currency)
  const country = DESTINATIONS.find(({ code }) => code === entry?.country)?.code
  const arrives = toTextOrEmpty(entry?.arrives)
  return currency && country
    ? { amount: toTextOrEmpty(entry?.amount), currency, country, ...(arrives && { arrives }) }
    : null
}
