import { serverNow } from '../../browser/serverTime.ts'
import { withRows } from '../../cache/database.ts'

/** Brings what became of the person's identity files to this device. Fails with `fetchFiles`. */
export async function refreshIdentity(uid: string): Promise<void> {
  const { fetchIdentityFiles } = await import('../../services/identityFiles.ts')
  const files = await fetchIdentityFiles(uid)
  await withRows(uid, ({ identity }) => identity.put({ id: 'identity', files, asOf: serverNow() }))
}
