import { importSPKI, jwtVerify } from 'jose'
import type { IdentifyCaller } from '../emulator.ts'

/**
 * Creates a function that recognizes the project's server by the token that the admin SDK signs with its
 * service account's key. Any other token is invalid.
 */
export function createAdminIdentifier(publicKeyPem: string, clientEmail: string): IdentifyCaller {
  const key = importSPKI(publicKeyPem, 'RS256')
  /** The last verified token and its expiry in seconds: an SDK sends the same token for an hour. */
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
