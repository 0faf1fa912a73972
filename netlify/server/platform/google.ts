import { cert } from 'firebase-admin/app'
import type { Settings } from './settings.ts'

const TIMEOUT = 5_000

/**
 * Calls a service of Google's as its administrator, by hand: the SDKs for these few calls would make every start of a
 * function slower. `isEmulator`: as the official emulators take it, without a key.
 *
 * A call that got no answer is made once more, because a kept connection may have died while this instance slept: so it
 * must be one that can be repeated. It throws when there is no answer in time.
 */
export function asAdministrator(
  { projectId, serviceAccount }: Pick<Settings, 'projectId' | 'serviceAccount'>,
  isEmulator: boolean,
): (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', address: string, body?: object) => Promise<Response> {
  // One for all calls: it keeps its token for as long as that is good.
  let credential: ReturnType<typeof cert> | null = null
  const accessToken = async () => {
    if (isEmulator) return 'owner'
    const { client_email: clientEmail, private_key: privateKey } = serviceAccount
    credential ??= cert({ projectId, clientEmail, privateKey })
    return (await credential.getAccessToken()).access_token
  }
  return async (method, address, body) => {
    const authorization = `Bearer ${await accessToken()}`
    const ask = () =>
      fetch(address, {
        method,
        headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
        signal: AbortSignal.timeout(TIMEOUT),
        ...(body && { body: JSON.stringify(body) }),
      })
    return ask().catch(ask)
  }
}
