import { importSPKI, jwtVerify } from 'jose'
import type { IdentifyCaller } from '../emulator.ts'

/** Recognizes the project's server by the token that its service account's key signs. */
export function createAdminIdentifier(publicKeyPem: string, clientEmail: string): IdentifyCaller {
  const key = importSPKI(publicKeyPem, 'RS256')
  /** An SDK sends the same token for an hour. */
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
