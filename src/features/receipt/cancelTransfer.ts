import { toFailure } from '../../browser/failure.ts'
import { withRows } from '../../cache/database.ts'
import { saveTransfers } from '../../cache/receipts.ts'
import { requestCancellation } from '../../services/cancellations.ts'

/**
 * `tooLate`: a provider or an operator already has the transfer. @throws `network` without a response: the
 * transfer may be canceled, and calling again is safe.
 */
export async function cancelTransfer(uid: string, id: string): Promise<'canceled' | 'tooLate'> {
  try {
    const transaction = await requestCancellation(id)
    await withRows(uid, (database) => saveTransfers(database, [transaction]))
    return 'canceled'
  } catch (error) {
    const failure = toFailure(error)
    if (failure.kind === 'function' && failure.code === 'cancellationTooLate') return 'tooLate'
    throw error
  }
}
