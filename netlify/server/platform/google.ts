import { cert } from 'firebase-admin/app'
import { fetchUntilDeadline } from './deadline.ts'
import type { Settings } from './settings.ts'

const TIMEOUT = 5_000

/**
 * Calls a Google service as its administrator; the SDK would slow down every start of a function. A call
 * without an answer is repeated once, because an open connection may have died while this instance was
 * suspended; calls must be safe to repeat. Throws when no answer arrives in time.
 */
export function createAdminFetch(
  { projectId, serviceAccount }: Pick<Settings, 'projectId' | 'serviceAccount'>,
  isEmulator: boolean,
): (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  address: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<Response> {
  // The credential caches its token.
  let credential: ReturnType<typeof cert> | null = null
  const accessToken = async () => {
    if (isEmulator) return 'owner'
    const { client_email: clientEmail, private_key: privateKey } = serviceAccount
    credential ??= cert({ projectId, clientEmail, privateKey })
    return (await credential.getAccessToken()).access_token
  }
  return async (method, address, body, headers = {}) => {
    const authorization = `Bearer ${await accessToken()}`
    const ask = () =>
      fetchUntilDeadline(fetch)(address, {
        method,
        headers: { ...headers, authorization, ...(body && { 'content-type': 'application/json' }) },
        signal: AbortSignal.timeout(TIMEOUT),
        ...(body && { body: JSON.stringify(body) }),
      })
    return ask().catch(ask)
  }
}
