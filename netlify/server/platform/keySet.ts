import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import { DAY, HOUR } from '../../../domain/common/duration.ts'

/** How long the last keys are used while new ones can't be fetched, in milliseconds. */
const KEYS_LAST = DAY
/** How often the keys are fetched, in milliseconds. Google rotates them every few days. */
const REFRESH_EVERY = HOUR

/**
 * Returns the signing keys at an address, for `jwtVerify`. They are fetched long before they become too old,
 * so that an outage of the address refuses no caller.
 *
 * @throws when no keys of the last day are known.
 */
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
