/** Status of a transfer. MTN does not document `CREATED`, but its sandbox returns it. */
type Status = 'CREATED' | 'PENDING' | 'SUCCESSFUL' | 'FAILED'

/** An accepted transfer. Amounts are in hundredths of the currency. */
export interface Transfer {
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
  status: Status
  /** Reason of a failure, otherwise null. */
  reason: string | null
  /** Transaction ID in the recipient's wallet; null unless successful. */
  financialTransactionId: string | null
  /** When the transfer will be decided, in UTC milliseconds; null if it is decided or stays pending. */
  decidedAt: number | null
  /** Whether the callback was delivered or lost. */
  isCalledBack: boolean
}

export interface MtnState {
  /** Access token → expiry, in UTC milliseconds. */
  tokens: Map<string, number>
  transfers: Map<string, Transfer>
  /** Balance of the paying account, in hundredths. */
  balance: number
}

/** A snapshot of the state, as plain JSON. */
export interface MtnDump {
  readonly tokens: [string, number][]
  readonly transfers: Transfer[]
  readonly balance: number
}
