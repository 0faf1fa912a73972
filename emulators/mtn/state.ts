/** MTN does not document `CREATED`, but its sandbox returns it. */
type TransferStatus = 'CREATED' | 'PENDING' | 'SUCCESSFUL' | 'FAILED'

/** Amounts are in hundredths of the currency. */
export interface MtnTransfer {
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly externalId: string
  readonly msisdn: string
  readonly payerMessage: string
  readonly payeeNote: string
  readonly callbackUrl: string | null
  /** UTC milliseconds. */
  readonly takenAt: number
  status: TransferStatus
  reason: string | null
  /** In the recipient's wallet; null unless successful. */
  financialTransactionId: string | null
  /** UTC milliseconds; null if the transfer is decided or stays pending. */
  decidedAt: number | null
  isCalledBack: boolean
}

export interface MtnState {
  /** Expiry by access token, in UTC milliseconds. */
  tokens: Map<string, number>
  transfers: Map<string, MtnTransfer>
  /** In hundredths. */
  balance: number
}
