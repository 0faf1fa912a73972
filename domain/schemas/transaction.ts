import { DESTINATIONS } from '../destinations.ts'
import { fallback, integer, number, object, picklist, string } from '../schema.ts'
import { deliveryNewsSchema } from './delivery.ts'
import type { Instant } from './instant.ts'
import { currencySchema, sourceCurrencySchema } from './money.ts'

/**
 * A transfer as it is stored: decimals in major units, but instants in UTC ms. What its amounts are made of has to be there; a
 * field that only describes it may be unusable. Anything but 'received' was sent, so that it counts. Specification, section 3.
 */
export const transactionSchema = (instant: Instant) =>
  object({
    id: string,
    senderId: string,
    type: fallback(picklist('sent', 'received'), 'sent'),
    recipientPhone: string,
    /** Net: what is left of the charge after `fees`. */
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
    /** As stored; `normaliseStatus` makes of it what is shown. */
    status: fallback(string, ''),
    createdAt: instant,
    settledAt: instant,
    estimatedArrival: instant,
    /** Within how many minutes of the payment it was promised; null where `estimatedArrival` was only estimated. */
    promisedMinutes: fallback(integer, null),
    description: fallback(string, ''),
    paymentMethod: fallback(picklist('card'), 'card'),
    couponCode: fallback(string, null),
    /** A wallet, which may be one that only a newer app knows. */
    receivingMethod: fallback(string, null),
    /** What is known of its delivery; null where transfers are not paid out from here. */
    delivery: fallback(deliveryNewsSchema, null),
    /** The path of the page that shows the recipient where it stands; null where transfers are not paid out from here. */
    recipientLink: fallback(string, null),
  })
