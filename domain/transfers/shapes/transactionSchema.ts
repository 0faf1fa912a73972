import * as v from 'valibot'
import type { InstantSchema } from '../../common/instant.ts'
import { finiteNumber, integer } from '../../common/schema.ts'
import { currencySchema, sourceCurrencySchema } from '../../money/moneySchema.ts'
import { countryCodeSchema } from '../../numbers/country.ts'
import { deliverySummarySchema } from '../deliverySchema.ts'
import { SENDER_TEXTS } from './fields.ts'

/** Amounts are required; descriptive fields may be invalid. Specification, section 3. */
export const buildTransactionSchema = (instant: InstantSchema) =>
  v.object({
    id: v.string(),
    senderId: v.string(),
    type: v.fallback(v.picklist(['sent', 'received']), 'sent'),
    recipientPhone: v.string(),
    /**
     * Both names at the reservation, shown by the receipt for ever (Regulation (EU) 2023/1113, article 4).
     * Null if unknown, and after the legal term.
     */
    senderName: v.fallback(v.nullable(v.string()), null),
    ...v.entriesFromList(SENDER_TEXTS, v.fallback(v.nullable(v.string()), null)),
    /** The charge minus `fees`. */
    amount: finiteNumber,
    fees: finiteNumber,
    exchangeRate: finiteNumber,
    convertedAmount: finiteNumber,
    sourceCurrency: sourceCurrencySchema,
    destinationCurrency: currencySchema,
    destination: v.object({
      code: countryCodeSchema,
      name: v.string(),
      currency: currencySchema,
      flag: v.string(),
    }),
    /** As stored; `normalizeStatus` derives the status shown. */
    status: v.fallback(v.string(), ''),
    createdAt: instant,
    settledAt: instant,
    estimatedArrival: instant,
    /** Null if `estimatedArrival` is only an estimate. */
    promisedMinutes: v.fallback(v.nullable(integer), null),
    description: v.fallback(v.string(), ''),
    paymentMethod: v.fallback(v.literal('card'), 'card'),
    couponCode: v.fallback(v.nullable(v.string()), null),
    /** Possibly one that only a newer app knows. */
    receivingMethod: v.fallback(v.nullable(v.string()), null),
    /** Null if transfers are not paid out here. */
    delivery: v.fallback(v.nullable(deliverySummarySchema), null),
    /** A path; null if transfers are not paid out here. */
    recipientLink: v.fallback(v.nullable(v.string()), null),
  })
