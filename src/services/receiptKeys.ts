import * as v from 'valibot'
import { type ReceiptKeys, receiptKeysSchema } from '../../domain/transfers/receiptKeys.ts'

const setting = import.meta.env.VITE_RECEIPT_KEYS

/** Empty if the app was built without them. */
export const receiptKeys: ReceiptKeys = setting ? v.parse(receiptKeysSchema, setting) : []
