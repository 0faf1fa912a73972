import {
  isEmptyTransferDraft,
  isSameTransferDraft,
  type TransferDraft,
} from '../../domain/transfers/transfer.ts'
import { serverNow } from '../browser/serverTime.ts'
import { type StoredDraft, type UserDatabase, withRows } from './database.ts'
import { getDraftId, trackOpenWork } from './openWork.ts'

/** ID of the only row: one form is stored for a user. */
const TRANSFER = 'transfer'

/** Returns the transfer form that was last stored on this device, with its ID; or null. */
export const readStoredDraft = async (uid: string): Promise<StoredDraft | null> =>
  (await withRows(uid, ({ drafts }) => drafts.get(TRANSFER))) ?? null

/** Stores the form of this page, or deletes the stored one if the form is empty. */
export async function saveDraft(uid: string, draft: TransferDraft): Promise<void> {
  const draftId = getDraftId()
  const write = async ({ drafts }: UserDatabase) => {
    if (isEmptyTransferDraft(draft)) await drafts.delete(TRANSFER)
    else await drafts.put({ id: TRANSFER, draftId, draft, keptAt: serverNow() })
  }
  trackOpenWork(uid, 'draft', { attemptId: null, write })
  await withRows(uid, write)
}

/**
 * Deletes the stored form if it is the paid one, because a reload would offer to pay it again. A form typed
 * since then is kept.
 */
export async function deletePaidDraft({ drafts }: UserDatabase, paid: TransferDraft): Promise<void> {
  const kept = await drafts.get(TRANSFER)
  if (kept && isSameTransferDraft(paid, kept.draft)) await drafts.delete(TRANSFER)
}
