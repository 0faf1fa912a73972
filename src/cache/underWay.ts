/*
 * What a user is typing and paying in this page. A session that ends elsewhere deletes all of the user's data from the device, which
 * may be in other hands by then, and another tab may do so first. The page remembers this much, so that the same user can go on.
 */
import { deviceStore } from '../browser/storage.ts'
import type { UserDatabase } from './database.ts'
import { hasLeft } from './signedOutUsers.ts'

/** A row of the user's database that this page wrote or read, and that the user would miss. */
interface Row {
  /** Null when the form was not sent. */
  readonly attemptId: string | null
  readonly write: (rows: UserDatabase) => Promise<unknown>
}

// The home screen notes rows before it needs the code of the database.
const loadDatabase = () => import('./database.ts')

const open = new Map<string, Row>()
let owner: string | null = null

/** Notes what is being typed or paid in this page, by its kind; null when it has come to an end. */
export function noteUnderWay(uid: string, kind: string, row: Row | null) {
  if (hasLeft(uid)) return
  if (owner !== uid) open.clear()
  owner = uid
  if (row) open.set(kind, row)
  else open.delete(kind)
}

const rowsOf = (uid: string): readonly Row[] => (owner === uid ? [...open.values()] : [])

export const forgetUnderWay = () => open.clear()

/** The attempt that is under way in this page, if any. */
export const attemptUnderWay = (uid: string): string | null =>
  rowsOf(uid).find(({ attemptId }) => attemptId !== null)?.attemptId ?? null

/** The user's attempt that is open, if any, and whether its card was surely not confirmed. Call it before the rows are deleted. */
export async function findUnderWay(
  uid: string,
): Promise<{ readonly attemptId: string; readonly isUnpaid: boolean } | null> {
  // The page may not have looked at the device yet.
  if (rowsOf(uid).length === 0) await gather(uid).catch(() => undefined)
  const attemptId = attemptUnderWay(uid)
  return attemptId === null ? null : { attemptId, isUnpaid: deviceStore.get('unconfirmed') === attemptId }
}

async function gather(uid: string) {
  const { withRows } = await loadDatabase()
  await withRows(uid, async ({ attempts, drafts, invoiceAttempts }) => {
    for (const row of await drafts.toArray())
      noteUnderWay(uid, row.id, { attemptId: null, write: ({ drafts }) => drafts.put(row) })
    const invoice = await invoiceAttempts.orderBy('begunAt').last()
    if (invoice)
      noteUnderWay(uid, 'invoiceAttempt', {
        attemptId: invoice.id,
        write: ({ invoiceAttempts }) => invoiceAttempts.put(invoice),
      })
    const transfer = await attempts.orderBy('begunAt').last()
    if (transfer)
      noteUnderWay(uid, 'attempt', {
        attemptId: transfer.id,
        write: ({ attempts }) => attempts.put(transfer),
      })
  })
}

/** Restores the rows for the same user; for another user they are dropped. True when a payment was among them. */
export async function putBackUnderWay(uid: string): Promise<boolean> {
  const isPaying = attemptUnderWay(uid) !== null
  const rows = rowsOf(uid)
  forgetUnderWay()
  if (rows.length > 0) {
    const { withRows } = await loadDatabase()
    for (const { write } of rows) await withRows(uid, write)
  }
  return isPaying
}
