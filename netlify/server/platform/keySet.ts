import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import { DAY, HOUR } from '../../../domain/common/duration.ts'

/** Used while new keys can't be fetched. */
const KEYS_LAST = DAY
/** Google rotates the keys every few days. */
const REFRESH_EVERY = HOUR

/** An outage then refuses no caller. @throws when no keys of the last day are known. */
export function createKeySet(address: URL): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(address, { cacheMaxAge: KEYS_LAST })
  let fetchedAt = Date.now()
  return async (header, token) => {
    if (keys.fresh && Date.now() - fetchedAt >= REFRESH_EVERY) {
      fetchedAt = Date.now()
      await keys.reload().catch(() => {})
    }
    return keys(header, token)
  }
}
