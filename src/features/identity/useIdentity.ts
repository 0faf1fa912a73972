import { useCallback, useEffect, useState } from 'react'
import type { KeptIdentity, UserDatabase } from '../../cache/database.ts'
import type { Failure } from '../../domain/failure.ts'
import { failureOf } from '../../services/failure.ts'
import { useCached } from '../../ui/useCached.ts'

const kept = async ({ identity }: UserDatabase): Promise<KeptIdentity | null> =>
  (await identity.get('identity')) ?? null

/**
 * What became of the person's identity files, as this device knows it, kept like the server's while a screen shows it.
 * `known` is undefined until the device has answered, and null when it has never asked.
 */
export function useIdentity(uid: string): {
  known: KeptIdentity | null | undefined
  failure: Failure | null
  isAsking: boolean
  ask: () => void
} {
  const known = useCached(uid, kept)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isAsking, setAsking] = useState(true)
  const ask = useCallback(async () => {
    setAsking(true)
    try {
      const { refreshIdentity } = await import('./freshIdentity.ts')
      await refreshIdentity(uid)
      setFailure(null)
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setAsking(false)
    }
  }, [uid])
  useEffect(() => {
    const askInSight = () => document.visibilityState !== 'hidden' && ask()
    ask()
    // Somebody may have decided in the meantime.
    document.addEventListener('visibilitychange', askInSight)
    addEventListener('online', ask)
    return () => {
      document.removeEventListener('visibilitychange', askInSight)
      removeEventListener('online', ask)
    }
  }, [ask])
  return { known, failure, isAsking, ask }
}
