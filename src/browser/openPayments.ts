/*
 * The second copy of the payments that are open on this device. They are rows of the user's database, which
 * may hang, be refused or lose a write; the next start must not take that for "there is none".
 */
import { deviceStore, type OpenPaymentCopy } from './storage.ts'

/** An invalid copy hides none of the others. */
const readCopies = () =>
  (deviceStore.get('openPayments') ?? []).filter(
    (copy: OpenPaymentCopy | null) => copy?.attempt instanceof Object,
  )

const writeCopies = (copies: readonly OpenPaymentCopy[]) =>
  deviceStore.set('openPayments', copies.length > 0 ? copies : null)

/** Saves a copy of an attempt, as the newest one. */
export function saveOpenPayment(copy: OpenPaymentCopy) {
  writeCopies([...readCopies().filter(({ attempt }) => attempt.id !== copy.attempt.id), copy])
}

/** Deletes the copy of an attempt that has ended. */
export function deleteOpenPayment(attemptId: string) {
  writeCopies(readCopies().filter(({ attempt }) => attempt.id !== attemptId))
}

/** Finds the newest copy of a user's open payments, of one kind or of any; null if there is none. */
export const findOpenPaymentCopy = (uid: string, kind?: OpenPaymentCopy['kind']): OpenPaymentCopy | null =>
  readCopies().findLast((copy) => copy.uid === uid && (kind === undefined || copy.kind === kind)) ?? null
