import * as v from 'valibot'
import { integer } from '../common/schema.ts'

/** Specification, section 9. */
export const sourceCurrencySchema = v.picklist(['EUR', 'CAD'])
export const currencySchema = v.picklist(['EUR', 'CAD', 'GNF'])

export const moneySchema = v.object({ minor: integer, currency: currencySchema })
export const sourceMoneySchema = v.object({ minor: integer, currency: sourceCurrencySchema })
