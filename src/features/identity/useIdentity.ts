import { useCallback } from 'react'
import { serverNow } from '../../browser/serverTime.ts'
import type { KeptIdentity, UserDatabase } from '../../cache/database.ts'
import { loadDatabase } from '../../pwa/loadDatabase.ts'
import { useCached } from '../../ui/useCached.ts'
import { useRefresh } from '../../ui/useRefresh.ts'

const kept = async ({ identity }: UserDatabase): Promise<KeptIdentity | null> =>
  (await identity.get('identity')) ?? null

/** Brings what became of the person's identity files to this device. Fails with `fetchFiles`. */
async function bringFiles(uid: string): Promise<void> {
  const { fetchIdentityFiles } = await import('../../services/identityFiles.ts')
  const files = await fetchIdentityFiles(uid)
  const { withRows } = await loadDatabase()
  await withRows(uid, ({ identity }) => identity.put({ id: 'identity', files, asOf: serverNow() }))
}

/**
 * What became of the person's identity files, as this device knows it, kept like the server's while a screen shows it:
 * somebody may have decided in the meantime. `known` is undefined until the device has answered, and null when it has
 * never asked.
 */
export function useIdentity(uid: string) {
  const known = useCached(uid, kept)
  const fresh = useRefresh(useCallback(() => bringFiles(uid), [uid]))
  return { known, ...fresh }
}
