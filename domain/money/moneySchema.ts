import * as v from 'valibot'
import { integer } from '../common/schema.ts'

/** A currency in which senders pay. Specification, section 9. */
export const sourceCurrencySchema = v.picklist(['EUR', 'CAD'])
/** Any currency in which money is sent or received. */
export const currencySchema = v.picklist(['EUR', 'CAD', 'GNF'])

export const moneySchema = v.object({ minor: integer, currency: currencySchema })
export const sourceMoneySchema = v.object({ minor: integer, currency: sourceCurrencySchema })
