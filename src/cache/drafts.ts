import type { TransferDraft } from '../../domain/transfers/shapes/draftSchema.ts'
import { isEmptyTransferDraft, isSameTransferDraft } from '../../domain/transfers/transfer.ts'
import { serverNow } from '../browser/serverTime.ts'
import { type StoredDraft, type UserDatabase, withRows } from './database.ts'
import { getDraftId, trackOpenWork } from './openWork.ts'

const TRANSFER = 'transfer'

export const readStoredDraft = async (uid: string): Promise<StoredDraft | null> =>
  (await withRows(uid, ({ drafts }) => drafts.get(TRANSFER))) ?? null

export async function saveDraft(uid: string, draft: TransferDraft): Promise<void> {
  const draftId = getDraftId()
  const write = async ({ drafts }: UserDatabase) => {
    if (isEmptyTransferDraft(draft)) await drafts.delete(TRANSFER)
    else await drafts.put({ id: TRANSFER, draftId, draft, keptAt: serverNow() })
  }
  trackOpenWork(uid, 'draft', { attemptId: null, write })
  await withRows(uid, write)
}

/** A reload would offer to pay the form again. A form typed since then is kept. */
export async function deletePaidDraft({ drafts }: UserDatabase, paid: TransferDraft): Promise<void> {
  const kept = await drafts.get(TRANSFER)
  if (kept && isSameTransferDraft(paid, kept.draft)) await drafts.delete(TRANSFER)
}
