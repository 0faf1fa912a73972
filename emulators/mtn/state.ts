/** What becomes of a transfer, as its state tells it. `CREATED` is in no document of MTN's; its sandbox answers it all the same. */
type Status = 'CREATED' | 'PENDING' | 'SUCCESSFUL' | 'FAILED'

/** A transfer that was taken. Amounts are in hundredths of the currency. */
export interface Transfer {
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly externalId: string
  readonly msisdn: string
  readonly payerMessage: string
  readonly payeeNote: string
  readonly callbackUrl: string | null
  /** UTC ms. */
  readonly takenAt: number
  status: Status
  /** Of one that failed. */
  reason: string | null
  /** What the recipient's wallet shows, of one that succeeded. */
  financialTransactionId: string | null
  /** When it is decided, UTC ms; null for one that is, and for one that never will be by itself. */
  decidedAt: number | null
  /** Whether its callback was sent, or lost: there is one. */
  isCalledBack: boolean
}

export interface State {
  /** Access token → when it ends, UTC ms. */
  tokens: Map<string, number>
  transfers: Map<string, Transfer>
  /** Of the account from which is paid, in hundredths. */
  balance: number
}

/** A snapshot of everything, for a restart. Plain JSON. */
export interface MtnDump {
  readonly tokens: [string, number][]
  readonly transfers: Transfer[]
  readonly balance: number
}
