import { toPlain } from '../common/clean.ts'
import type { Output } from '../common/schema.ts'
import type { currencySchema } from './moneySchema.ts'

type Currency = Output<typeof currencySchema>

/** The ways to write a currency besides its code. */
const SIGNS: Readonly<Record<Currency, string>> = {
  EUR: '€|EUROS?',
  CAD: '\\$ ?C(?:AD?)?|C(?:AD?)? ?\\$|\\$|CDN|DOLLARS?(?: CANAD(?:IE|IA)NS?)?',
  GNF: 'FG|GF|FRANCS?(?: GUINÉENS?)?',
}

/** Removes these currencies' signs. Another currency's sign stays, so that the amount is refused. */
export function cleanAmount(text: string, ...currencies: readonly Currency[]): string {
  const signs = currencies.map((currency) => `${SIGNS[currency]}|${currency}`).join('|')
  return toPlain(text)
    .replace(/[\u060c\u066b]/g, ',')
    .replace(/[\u066c’]/g, "'")
    .trim()
    .replace(new RegExp(`^(?:(?:${signs}) ?){1,2}|(?: ?(?:${signs})){1,2}$`, 'gi'), '')
    .trim()
}
