import { DESTINATIONS } from '../destinations.ts'
import { fallback, integer, number, object, picklist, string } from '../schema.ts'
import { deliverySummarySchema } from './delivery.ts'
import type { InstantSchema } from './instant.ts'
import { currencySchema, sourceCurrencySchema } from './money.ts'

/**
 * A stored transfer: decimals in major units, instants in UTC ms. The amounts are required; descriptive
 * fields may be invalid. Every type but 'received' counts as sent. Specification, section 3.
 */
export const buildTransactionSchema = (instant: InstantSchema) =>
  object({
    id: string,
    senderId: string,
    type: fallback(picklist('sent', 'received'), 'sent'),
    recipientPhone: string,
    /**
     * The names of both persons when the transfer was reserved, which its receipt shows for ever (Regulation
     * (EU) 2023/1113, article 4). Null if the sender gave no name of the recipient, and after the legal term.
     */
    senderName: fallback(string, null),
    recipientName: fallback(string, null),
    /** The charge minus `fees`. */
    amount: number,
    fees: number,
    exchangeRate: number,
    convertedAmount: number,
    sourceCurrency: sourceCurrencySchema,
    destinationCurrency: currencySchema,
    destination: object({
      code: picklist(...DESTINATIONS.map(({ code }) => code)),
      name: string,
      currency: currencySchema,
      flag: string,
    }),
    /** As stored; `normalizeStatus` derives the status shown. */
    status: fallback(string, ''),
    createdAt: instant,
    settledAt: instant,
    estimatedArrival: instant,
    /** The promised minutes from payment to arrival; null if `estimatedArrival` is only an estimate. */
    promisedMinutes: fallback(integer, null),
    description: fallback(string, ''),
    paymentMethod: fallback(picklist('card'), 'card'),
    couponCode: fallback(string, null),
    /** A wallet, possibly one that only a newer app knows. */
    receivingMethod: fallback(string, null),
    /** The state of the delivery; null if transfers are not paid out here. */
    delivery: fallback(deliverySummarySchema, null),
    /** The path of the recipient's page; null if transfers are not paid out here. */
    recipientLink: fallback(string, null),
  })
