/*
 * When a session ends elsewhere, the user's data is deleted from the device. The page remembers form and
 * payment, so that the same user can continue after signing in again. It is no state of a chart, because the
 * screens' charts end with the session.
 */

import { deviceStore } from '../browser/storage.ts'
import type { UserDatabase } from './database.ts'
import { findOpenPaymentCopy } from './openPayments.ts'
import { hasSignedOut } from './signedOutUsers.ts'

interface Row {
  /** Null if the form was not sent. */
  readonly attemptId: string | null
  readonly write: (rows: UserDatabase) => Promise<unknown>
}

// The home screen notes rows before it needs the database's chunk.
const loadDatabase = () => import('./database.ts')

type Kind = 'draft' | 'transfer' | 'invoice'

const open = new Map<Kind, Row>()
let owner: string | null = null

export function trackOpenWork(uid: string, kind: Kind, row: Row | null) {
  if (hasSignedOut(uid)) return
  if (owner !== uid) open.clear()
  owner = uid
  if (row) open.set(kind, row)
  else open.delete(kind)
}

/** A newer payment of the same kind stays open. */
export function forgetOpenAttempt(uid: string, kind: Kind, attemptId: string) {
  if (owner === uid && open.get(kind)?.attemptId === attemptId) open.delete(kind)
}

const getOpenRows = (uid: string): readonly Row[] => (owner === uid ? [...open.values()] : [])

/**
 * The device stores this ID with the form before any payment, so the server knows the attempt to pay a
 * restored form.
 */
let draftId: string = crypto.randomUUID()

export const getDraftId = () => draftId

export function setDraftId(id: string) {
  draftId = id
}

export const forgetOpenWork = () => open.clear()

export const getOpenAttemptId = (uid: string): string | null =>
  getOpenRows(uid).find(({ attemptId }) => attemptId !== null)?.attemptId ?? null

/** Call it before the rows are deleted. */
export async function findOpenPayment(
  uid: string,
): Promise<{ readonly attemptId: string; readonly isUnpaid: boolean } | null> {
  // The page may not have read the stored rows yet.
  if (getOpenRows(uid).length === 0) await noteStoredRows(uid).catch(() => undefined)
  const attemptId = getOpenAttemptId(uid) ?? findOpenPaymentCopy(uid)?.attempt.id ?? null
  return attemptId === null ? null : { attemptId, isUnpaid: deviceStore.get('unconfirmed') === attemptId }
}

async function noteStoredRows(uid: string) {
  const { withRows } = await loadDatabase()
  await withRows(uid, async ({ attempts, drafts, invoiceAttempts }) => {
    for (const row of await drafts.toArray())
      trackOpenWork(uid, 'draft', { attemptId: null, write: ({ drafts }) => drafts.put(row) })
    const invoice = await invoiceAttempts.orderBy('begunAt').last()
    if (invoice)
      trackOpenWork(uid, 'invoice', {
        attemptId: invoice.id,
        write: ({ invoiceAttempts }) => invoiceAttempts.put(invoice),
      })
    const transfer = await attempts.orderBy('begunAt').last()
    if (transfer)
      trackOpenWork(uid, 'transfer', {
        attemptId: transfer.id,
        write: ({ attempts }) => attempts.put(transfer),
      })
  })
}

/** Returns whether a payment was restored. */
export async function restoreOpenWork(uid: string): Promise<boolean> {
  const isPaying = getOpenAttemptId(uid) !== null
  const rows = getOpenRows(uid)
  forgetOpenWork()
  if (rows.length > 0) {
    const { withRows } = await loadDatabase()
    for (const { write } of rows) await withRows(uid, write)
  }
  return isPaying
}
