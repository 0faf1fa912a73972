import { isEmptyDraft, isSameForm, type TransferDraft } from '../../domain/transfer.ts'
import { serverNow } from '../browser/serverTime.ts'
import { type UserDatabase, withRows } from './database.ts'
import { noteUnderWay } from './underWay.ts'

/** The one form that is kept for a person. */
const TRANSFER = 'transfer'

/** The transfer as it was typed last on this device, or null. */
export async function keptDraft(uid: string): Promise<TransferDraft | null> {
  const kept = await withRows(uid, ({ drafts }) => drafts.get(TRANSFER))
  return kept?.draft ?? null
}

/** Keeps the form; an emptied one leaves nothing behind. */
export async function keepDraft(uid: string, draft: TransferDraft): Promise<void> {
  const write = async ({ drafts }: UserDatabase) => {
    if (isEmptyDraft(draft)) await drafts.delete(TRANSFER)
    else await drafts.put({ id: TRANSFER, draft, keptAt: serverNow() })
  }
  noteUnderWay(uid, 'draft', { attemptId: null, write })
  await withRows(uid, write)
}

/** Deletes the form that was paid, because after a reload it would be offered and could be paid again. A form that was typed since stays. */
export async function dropPaidDraft({ drafts }: UserDatabase, paid: TransferDraft): Promise<void> {
  const kept = await drafts.get(TRANSFER)
  if (kept && isSameForm(paid, kept.draft)) await drafts.delete(TRANSFER)
}
