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
  const { id } = copy.attempt
  const known = readCopies().find(({ attempt }) => attempt.id === id)
  writeCopies([...readCopies().filter(({ attempt }) => attempt.id !== id), { ...known, ...copy }])
}

/** The bank's return names the payment by this ID. */
export function setPaymentIntentId(attemptId: string, paymentIntentId: string) {
  writeCopies(
    readCopies().map((copy) => (copy.attempt.id === attemptId ? { ...copy, paymentIntentId } : copy)),
  )
}

export function deleteOpenPayment(attemptId: string) {
  writeCopies(readCopies().filter(({ attempt }) => attempt.id !== attemptId))
}

/** Null if there is none. */
export const findOpenPaymentCopy = (uid: string, kind?: OpenPaymentCopy['kind']): OpenPaymentCopy | null =>
  listOpenPaymentCopies(uid).findLast((copy) => kind === undefined || copy.kind === kind) ?? null

export const listOpenPaymentCopies = (uid: string) => readCopies().filter((copy) => copy.uid === uid)
