import { integer, object, picklist } from '../schema.ts'

/** A currency in which senders pay. Specification, section 9. */
export const sourceCurrencySchema = picklist('EUR', 'CAD')
/** Any currency in which money is sent or received. */
export const currencySchema = picklist('EUR', 'CAD', 'GNF')

export const moneySchema = object({ minor: integer, currency: currencySchema })
export const sourceMoneySchema = object({ minor: integer, currency: sourceCurrencySchema })
