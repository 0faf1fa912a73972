import { importSPKI, jwtVerify } from 'jose'
import type { Identify } from '../emulator.ts'

/**
 * Knows the server functions by the token that the admin SDK signs with its service account's own
 * key. Whoever brings no such token is 'nobody' (no token at all) or 'invalid'.
 */
export function adminIdentify(publicKeyPem: string, clientEmail: string): Identify {
  const key = importSPKI(publicKeyPem, 'RS256')
  /** The one that was checked last, which an SDK sends for an hour with every call, and when it ends (seconds). */
  let known = { authorization: '', until: 0 }
  return async (authorization) => {
    if (!authorization) return { kind: 'nobody' }
    if (authorization === known.authorization && Date.now() / 1000 < known.until) return { kind: 'admin' }
    try {
      const { payload } = await jwtVerify(authorization.replace(/^Bearer /i, ''), await key, {
        algorithms: ['RS256'],
        issuer: clientEmail,
        subject: clientEmail,
      })
      known = { authorization, until: payload.exp ?? 0 }
      return { kind: 'admin' }
    } catch (error) {
      return { kind: 'invalid', reason: error instanceof Error ? error.message : String(error) }
    }
  }
}
