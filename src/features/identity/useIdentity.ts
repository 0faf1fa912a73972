import { useCallback } from 'react'
import type { KeptIdentity, UserDatabase } from '../../cache/database.ts'
import { useCached } from '../../ui/useCached.ts'
import { useRefresh } from '../../ui/useRefresh.ts'

const kept = async ({ identity }: UserDatabase): Promise<KeptIdentity | null> =>
  (await identity.get('identity')) ?? null

/**
 * What became of the person's identity files, as this device knows it, kept like the server's while a screen shows it:
 * somebody may have decided in the meantime. `known` is undefined until the device has answered, and null when it has
 * never asked.
 */
export function useIdentity(uid: string) {
  const known = useCached(uid, kept)
  const fresh = useRefresh(
    useCallback(async () => (await import('./refreshIdentity.ts')).refreshIdentity(uid), [uid]),
  )
  return { known, ...fresh }
}
