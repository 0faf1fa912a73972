import { cert } from 'firebase-admin/app'
import { z } from 'zod'
import type { Settings } from './settings.ts'

/** The accounts of the sign-in service, as its administrator sees them. */
export interface Accounts {
  /** Whether somebody signs in with this number (E.164). */
  hasPhone(phone: string): Promise<boolean>
  /** `validSince` (UTC ms, a whole second): tokens that were issued before are spent. Null when there is no such account. */
  find(uid: string): Promise<{ readonly validSince: number } | null>
  /** Ends every session that began before `at` (UTC ms). An ID token that is out there lives on until it expires. */
  endSessions(uid: string, at: number): Promise<void>
  /** An account that is gone already counts as removed. */
  remove(uid: string): Promise<void>
}

const TIMEOUT = 5_000

const lookedUp = z.object({ users: z.array(z.object({ validSince: z.string().optional() })).optional() })
const refusal = z.object({ error: z.object({ message: z.string() }) })

/**
 * Asks the sign-in service by hand: the SDK for these few calls would make every start of a function slower.
 *
 * Each call throws when the service refuses or does not answer in time: that says nothing about the account.
 */
export function accountsOf({
  projectId,
  serviceAccount,
  authHost,
}: Pick<Settings, 'projectId' | 'serviceAccount' | 'authHost'>): Accounts {
  const service = `${authHost ? `http://${authHost}/` : 'https://'}identitytoolkit.googleapis.com`
  const accessToken = async () => {
    // What the official emulator takes for an administrator.
    if (authHost) return 'owner'
    const { client_email: clientEmail, private_key: privateKey } = serviceAccount
    return (await cert({ projectId, clientEmail, privateKey }).getAccessToken()).access_token
  }
  const call = async (operation: string, body: object): Promise<Response> => {
    const authorization = `Bearer ${await accessToken()}`
    const ask = () =>
      fetch(`${service}/v1/projects/${projectId}/accounts:${operation}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT),
      })
    // Once more, because a kept connection may have died while this instance slept. Each of these calls can be repeated.
    return ask().catch(ask)
  }
  const lookUp = async (by: object) => {
    const response = await call('lookup', by)
    if (!response.ok) throw failed(response)
    return lookedUp.parse(await response.json()).users ?? []
  }

  return {
    // Not the number in a profile: that is only what its owner says.
    hasPhone: async (phone) => (await lookUp({ phoneNumber: [phone] })).length > 0,
    async find(uid) {
      const [account] = await lookUp({ localId: [uid] })
      return account ? { validSince: Number(account.validSince ?? 0) * 1000 } : null
    },
    async endSessions(uid, at) {
      const response = await call('update', { localId: uid, validSince: String(Math.floor(at / 1000)) })
      if (!response.ok) throw failed(response)
    },
    async remove(uid) {
      const response = await call('delete', { localId: uid })
      if (!response.ok && !(await isGone(response))) throw failed(response)
    },
  }
}

const failed = ({ status }: Response) => new Error(`The sign-in service answered ${status}`)

async function isGone(response: Response): Promise<boolean> {
  const refused = refusal.safeParse(await response.json().catch(() => null))
  return refused.success && /^USER_NOT_FOUND\b/.test(refused.data.error.message)
}
