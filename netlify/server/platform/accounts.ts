import { z } from 'zod'
import type { WayIn } from '../../../domain/waysIn.ts'
import { asAdministrator } from './google.ts'
import type { Settings } from './settings.ts'

/** The accounts of the sign-in service, as its administrator sees them. */
export interface Accounts {
  /** The account that signs in with this number (E.164), by its id; null when there is none. */
  ofPhone(phone: string): Promise<string | null>
  /** Null when there is no such account. */
  find(uid: string): Promise<Account | null>
  /** Ends every session that began before `at` (UTC ms). An ID token that is out there lives on until it expires. */
  endSessions(uid: string, at: number): Promise<void>
  /** Takes these ways in from the account and ends every session that began before `at` (UTC ms), both at once. */
  closeWays(uid: string, ways: readonly string[], at: number): Promise<void>
  /** An account that is gone already counts as removed. */
  remove(uid: string): Promise<void>
}

export interface Account {
  /** UTC ms, a whole second: tokens that were issued before are spent. */
  readonly validSince: number
  /** By an operator. Tokens that are out there don't know of it. */
  readonly isDisabled: boolean
  /** The address, once it is verified. */
  readonly verifiedAddress: string | null
  /** The number (E.164) that a code was sent to. */
  readonly phone: string | null
  readonly waysIn: readonly WayIn[]
}

const lookedUp = z.object({
  users: z
    .array(
      z.object({
        localId: z.string(),
        validSince: z.string().optional(),
        disabled: z.boolean().optional(),
        email: z.string().optional(),
        emailVerified: z.boolean().optional(),
        phoneNumber: z.string().optional(),
        providerUserInfo: z
          .array(z.object({ providerId: z.string(), email: z.string().optional() }))
          .optional(),
      }),
    )
    .optional(),
})
const refusal = z.object({ error: z.object({ message: z.string() }) })

/** Each call throws when the sign-in service refuses or does not answer in time: that says nothing about the account. */
export function accountsOf(settings: Pick<Settings, 'projectId' | 'serviceAccount' | 'authHost'>): Accounts {
  const { projectId, authHost } = settings
  const service = `${authHost ? `http://${authHost}/` : 'https://'}identitytoolkit.googleapis.com`
  const ask = asAdministrator(settings, authHost !== null)
  const call = (operation: string, body: object) =>
    ask('POST', `${service}/v1/projects/${projectId}/accounts:${operation}`, body)
  const lookUp = async (by: object) => {
    const response = await call('lookup', by)
    if (!response.ok) throw failed(response)
    return lookedUp.parse(await response.json()).users ?? []
  }

  const update = async (uid: string, changes: object) => {
    const response = await call('update', { localId: uid, ...changes })
    if (!response.ok) throw failed(response)
  }

  return {
    // Not the number in a profile: that is only what its owner says.
    ofPhone: async (phone) => (await lookUp({ phoneNumber: [phone] }))[0]?.localId ?? null,
    async find(uid) {
      const [account] = await lookUp({ localId: [uid] })
      if (!account) return null
      const {
        validSince = 0,
        disabled: isDisabled = false,
        email,
        emailVerified,
        phoneNumber: phone = null,
        providerUserInfo = [],
      } = account
      return {
        validSince: Number(validSince) * 1000,
        isDisabled,
        phone,
        verifiedAddress: emailVerified && email ? email : null,
        waysIn: providerUserInfo.map((one) => ({ way: one.providerId, email: one.email?.toLowerCase() })),
      }
    },
    endSessions: (uid, at) => update(uid, { validSince: seconds(at) }),
    closeWays: (uid, ways, at) => update(uid, { deleteProvider: ways, validSince: seconds(at) }),
    async remove(uid) {
      const response = await call('delete', { localId: uid })
      if (!response.ok && !(await isGone(response))) throw failed(response)
    },
  }
}

const seconds = (at: number) => String(Math.floor(at / 1000))

const failed = ({ status }: Response) => new Error(`The sign-in service answered ${status}`)

async function isGone(response: Response): Promise<boolean> {
  const refused = refusal.safeParse(await response.json().catch(() => null))
  return refused.success && /^USER_NOT_FOUND\b/.test(refused.data.error.message)
}
