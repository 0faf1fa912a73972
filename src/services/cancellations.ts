import { CANCEL_TRANSFER } from '../../domain/api/transfers.ts'
import type { Transaction } from '../../domain/transfers/transaction.ts'
import { callFunction } from './functions.ts'

export const requestCancellation = async (id: string): Promise<Transaction> =>
  (await callFunction(CANCEL_TRANSFER, { id })).transaction
