import { normaliseStatus } from './status.ts'
import type { Transaction } from './transaction.ts'

/** How far a transfer has come, as far as anybody has told us: a delivery is never among it. Instants in UTC ms. */
export type Timeline =
  | { readonly stage: 'paying'; readonly begunAt: number }
  | { readonly stage: 'onItsWay'; readonly paidAt: number; readonly expectedBy: number }
  /** The expected time has passed. Whether the money is there, only the recipient knows. */
  | { readonly stage: 'due'; readonly paidAt: number; readonly expectedBy: number }

/** The timeline of a stored transfer at `now` (UTC ms); null for one of which nothing is to be expected. */
export function timelineOf(
  {
    status,
    createdAt,
    settledAt,
    estimatedArrival: expectedBy,
  }: Pick<Transaction, 'status' | 'createdAt' | 'settledAt' | 'estimatedArrival'>,
  now: number,
): Timeline | null {
  switch (normaliseStatus(status)) {
    case 'completed':
      return { stage: now < expectedBy ? 'onItsWay' : 'due', paidAt: settledAt ?? createdAt, expectedBy }
    case 'pending':
      return { stage: 'paying', begunAt: createdAt }
    case 'failed':
    case 'canceled':
    case 'unknown':
      return null
  }
}
