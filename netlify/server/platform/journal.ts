import type { Firestore, Transaction } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import { type Entry, type JournalDocument, journalSchema } from '../../../domain/journal/entry.ts'
import type { StripeAmount } from '../../../domain/journal/movements.ts'
import type { Context } from './context.ts'
import { createDocumentParser } from './documents.ts'

export const journal = (db: Firestore) => db.collection('journal')
export const parseJournalDocument = createDocumentParser(journalSchema)

/** The document that books a charge. */
export const receivedRef = (db: Firestore, paymentIntentId: string) =>
  journal(db).doc(`${paymentIntentId}_received`)

/**
 * Writes the entries of a change of state, in the transaction that stores it. The payment and the name of the
 * change make the document's ID; the state read in that transaction decides which change comes next. `set`,
 * because an entry that outlived a restore of the database must not block a payout or a refund.
 */
export function writeJournal(
  { db, now }: Pick<Context, 'db' | 'now'>,
  tx: Transaction,
  about: string,
  change: string,
  entries: readonly Entry[],
): void {
  if (entries.length === 0) return
  const document: JournalDocument = { about, at: now(), entries }
  tx.set(journal(db).doc(`${about}_${change}`), document)
}

export const toJournalCurrency = (code: string): string => code.toUpperCase()

/** `booked` is null until Stripe has created the balance transaction. */
export function toStripeAmount({
  amount_captured: minor,
  currency,
  balance_transaction: booked,
}: Stripe.Charge): StripeAmount {
  return {
    charged: { minor, currency: toJournalCurrency(currency) },
    booked:
      booked && typeof booked === 'object'
        ? { minor: booked.amount, currency: toJournalCurrency(booked.currency), fee: booked.fee }
        : null,
  }
}
