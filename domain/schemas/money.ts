import { integer, object, picklist } from '../schema.ts'

/** What a sender pays in. Specification, section 9. */
export const sourceCurrencySchema = picklist('EUR', 'CAD')
/** What money is sent or received in. */
export const currencySchema = picklist('EUR', 'CAD', 'GNF')

export const moneySchema = object({ minor: integer, currency: currencySchema })
export const sourceMoneySchema = object({ minor: integer, currency: sourceCurrencySchema })
