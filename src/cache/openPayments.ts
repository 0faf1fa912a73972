/*
 * The user's database may hang, be refused or lose a write, and the next start must not conclude that no
 * payment is open.
 */
import { deviceStore, type OpenPaymentCopy } from '../browser/storage.ts'

/** An invalid copy hides none of the others. */
const readCopies = () =>
  (deviceStore.get('openPayments') ?? []).filter(
    (copy: OpenPaymentCopy | null) => copy?.attempt instanceof Object,
  )

const writeCopies = (copies: readonly OpenPaymentCopy[]) =>
  deviceStore.set('openPayments', copies.length > 0 ? copies : null)

export function saveOpenPayment(copy: OpenPaymentCopy) {
  writeCopies([...readCopies().filter(({ attempt }) => attempt.id !== copy.attempt.id), copy])
}

export function deleteOpenPayment(attemptId: string) {
  writeCopies(readCopies().filter(({ attempt }) => attempt.id !== attemptId))
}

/** Null if there is none. */
export const findOpenPaymentCopy = (uid: string, kind?: OpenPaymentCopy['kind']): OpenPaymentCopy | null =>
  readCopies().findLast((copy) => copy.uid === uid && (kind === undefined || copy.kind === kind)) ?? null
