import { deviceStore } from '../browser/storage.ts'
import { withRows } from './database.ts'
import { attemptUnderWay, forgetUnderWay, noteUnderWay, rowsUnderWay } from './underWay.ts'

/**
 * What the session of the person leaves behind: the attempt that is open, if any, and whether its card was surely not confirmed. It asks the
 * device where this page has not looked yet, so the caller deletes the rows only afterwards.
 */
export async function leftUnderWay(
  uid: string,
): Promise<{ readonly attemptId: string; readonly isUnpaid: boolean } | null> {
  if (rowsUnderWay(uid).length === 0) await gather(uid).catch(() => undefined)
  const attemptId = attemptUnderWay(uid)
  return attemptId === null ? null : { attemptId, isUnpaid: deviceStore.get('unconfirmed') === attemptId }
}

async function gather(uid: string) {
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

/** Writes for the same person what was under way when the session was ended; for anybody else it is gone. True when a payment was. */
export async function putBackUnderWay(uid: string): Promise<boolean> {
  const isPaying = attemptUnderWay(uid) !== null
  const rows = rowsUnderWay(uid)
  forgetUnderWay()
  for (const { write } of rows) await withRows(uid, write)
  return isPaying
}
