import { useCallback } from 'react'
import { serverNow } from '../../browser/serverTime.ts'
import type { StoredIdentity, UserDatabase } from '../../cache/database.ts'
import { loadDatabase } from '../../pwa/loadDatabase.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'
import { useRefresh } from '../../ui/useRefresh.ts'

const readKeptIdentity = async ({ identity }: UserDatabase): Promise<StoredIdentity | null> =>
  (await identity.get('identity')) ?? null

/** @throws a failure of the operation `fetchFiles`. */
async function refreshIdentityFiles(uid: string): Promise<void> {
  const { fetchIdentityFiles } = await import('../../services/identityFiles.ts')
  const files = await fetchIdentityFiles(uid)
  const { withRows } = await loadDatabase()
  await withRows(uid, ({ identity }) => identity.put({ id: 'identity', files, asOf: serverNow() }))
}

/** `identity`: undefined until the device has been read, null if the files were never fetched. */
export function useIdentity(uid: string) {
  const identity = useLiveQuery(uid, readKeptIdentity)
  const fresh = useRefresh(useCallback(() => refreshIdentityFiles(uid), [uid]))
  return { identity, ...fresh }
}
