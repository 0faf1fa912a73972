import { buildOwnData, type OwnDataParts, type ReceiptExporters } from '../../../domain/records/ownData.ts'
import { fetchOwnData } from './fetchOwnData.ts'

/** @throws the failures of `fetchOwnData`. */
export async function createOwnDataFile(
  uid: string,
  {
    receipts,
    announcements,
    now,
    onProgress,
  }: Pick<OwnDataParts, 'announcements'> & {
    readonly receipts: ReceiptExporters
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
  const parts = await fetchOwnData(uid, server, { now, onProgress })
  const text = JSON.stringify(buildOwnData({ ...parts, announcements }, receipts, { now }), null, 2)
  const day = new Date(now).toISOString().slice(0, 10)
  return new File([text], `passerelle-${day}.json`, { type: 'application/json' })
}
