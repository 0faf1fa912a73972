import { type OwnParts, type OwnReceipts, ownData } from '../../../domain/ownData.ts'
import { fetchOwnParts } from './fetchOwnParts.ts'

/** Fetches all of the person's data and makes a file of them. Fails as `fetchOwnParts`. */
export async function makeOwnFile(
  uid: string,
  {
    loadReceipts,
    announcements,
    now,
    onProgress,
  }: Pick<OwnParts, 'announcements'> & {
    readonly loadReceipts: (name: string) => Promise<OwnReceipts>
    readonly now: number
    readonly onProgress: (count: number) => void
  },
): Promise<File> {
  const servers = await Promise.all([
    import('../../services/contacts.ts'),
    import('../../services/identityFiles.ts'),
    import('../../services/invoices.ts'),
    import('../../services/ledgers.ts'),
    import('../../services/profiles.ts'),
    import('../../services/transactions.ts'),
  ])
  const [contacts, identity, invoices, ledgers, profiles, history] = servers
  const server = { ...contacts, ...identity, ...invoices, ...ledgers, ...profiles, ...history }
  const parts = await fetchOwnParts(uid, server, { now, onProgress })
  const receipts = await loadReceipts(parts.profile.name)
  const text = JSON.stringify(ownData({ ...parts, announcements }, receipts, { now }), null, 2)
  const day = new Date(now).toISOString().slice(0, 10)
  return new File([text], `passerelle-${day}.json`, { type: 'application/json' })
}
