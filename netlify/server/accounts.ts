import { cert } from 'firebase-admin/app'
import { z } from 'zod'
import type { Settings } from './settings.ts'

/** Whether somebody signs in with this number (E.164). */
export type HasPhoneAccount = (phone: string) => Promise<boolean>

const TIMEOUT = 5_000

const lookedUp = z.object({ users: z.array(z.unknown()).optional() })

/**
 * Asks the sign-in service for the account of a phone number, because the number in a profile is only what its owner
 * says. The one call is made by hand: the SDK for it would make every start of the function slower.
 *
 * @throws when the service refuses or does not answer in time: that says nothing about the number.
 */
export function phoneAccounts({
  projectId,
  serviceAccount,
  authHost,
}: Pick<Settings, 'projectId' | 'serviceAccount' | 'authHost'>): HasPhoneAccount {
  const service = `${authHost ? `http://${authHost}/` : 'https://'}identitytoolkit.googleapis.com`
  const accessToken = async () => {
    // What the official emulator takes for an administrator.
    if (authHost) return 'owner'
    const { client_email: clientEmail, private_key: privateKey } = serviceAccount
    return (await cert({ projectId, clientEmail, privateKey }).getAccessToken()).access_token
  }
  return async (phone) => {
    const authorization = `Bearer ${await accessToken()}`
    const ask = () =>
      fetch(`${service}/v1/projects/${projectId}/accounts:lookup`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ phoneNumber: [phone] }),
        signal: AbortSignal.timeout(TIMEOUT),
      })
    // Once more, because a kept connection may have died while this instance slept.
    const response = await ask().catch(ask)
    if (!response.ok) throw new Error(`The sign-in service answered ${response.status}`)
    return (lookedUp.parse(await response.json()).users ?? []).length > 0
  }
}
