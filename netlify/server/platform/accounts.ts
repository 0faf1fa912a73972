import * as v from 'valibot'
import type { LinkedSignInMethod } from '../../../domain/account/ownership.ts'
import type { Language } from '../../../domain/common/language.ts'
import { createAdminFetch } from './google.ts'
import type { Settings } from './settings.ts'

export interface Accounts {
  /** E.164. */
  findByPhone(phone: string): Promise<string | null>
  find(uid: string): Promise<AccountRecord | null>
  /** `at`: UTC ms. An existing ID token stays valid until it expires. */
  endSessions(uid: string, at: number): Promise<void>
  /** Also ends every session that began before `at` (UTC ms), in the same call. */
  unlinkSignInMethods(uid: string, methods: readonly string[], at: number): Promise<void>
  /** Removes these sign-in methods too, and ends every session that began before `at` (UTC ms). */
  removeAddress(uid: string, methods: readonly string[], at: number): Promise<void>
  /** The link verifies the address and then leads to `continueUrl`. */
  mailLink(idToken: string, continueUrl: string, language: Language): Promise<void>
  /** An account that is already gone counts as deleted. */
  remove(uid: string): Promise<void>
}

export interface AccountRecord {
  /** UTC ms. */
  readonly createdAt: number
  /** When the present password was set (UTC ms). */
  readonly passwordSince: number | null
  /** UTC ms, a whole second. */
  readonly validSince: number
  /** Existing tokens don't show this. */
  readonly isDisabled: boolean
  /** Verified or not. */
  readonly address: string | null
  readonly verifiedAddress: string | null
  /** Verified (E.164). */
  readonly phone: string | null
  readonly signInMethods: readonly LinkedSignInMethod[]
}

const lookedUp = v.object({
  users: v.exactOptional(
    v.array(
      v.object({
        localId: v.string(),
        createdAt: v.exactOptional(v.string()),
        passwordUpdatedAt: v.exactOptional(v.number()),
        validSince: v.exactOptional(v.string()),
        disabled: v.exactOptional(v.boolean()),
        email: v.exactOptional(v.string()),
        emailVerified: v.exactOptional(v.boolean()),
        phoneNumber: v.exactOptional(v.string()),
        providerUserInfo: v.exactOptional(
          v.array(v.object({ providerId: v.string(), email: v.exactOptional(v.string()) })),
        ),
      }),
    ),
  ),
})
const userGone = v.object({
  error: v.object({ message: v.pipe(v.string(), v.regex(/^USER_NOT_FOUND\b/)) }),
})

/** Each call throws if the service does not answer in time, which says nothing about the account. */
export function createAccountsClient(
  settings: Pick<Settings, 'projectId' | 'serviceAccount' | 'authHost'>,
): Accounts {
  const { projectId, authHost } = settings
  const service = `${authHost ? `http://${authHost}/` : 'https://'}identitytoolkit.googleapis.com`
  const ask = createAdminFetch(settings, authHost !== null)
  const call = (operation: string, body: object, headers: Record<string, string> = {}) =>
    ask('POST', `${service}/v1/projects/${projectId}/accounts:${operation}`, body, headers)
  const lookUp = async (by: object) => {
    const response = await call('lookup', by)
    if (!response.ok) throw failed(response)
    return v.parse(lookedUp, await response.json()).users ?? []
  }

  const update = async (uid: string, changes: object) => {
    const response = await call('update', { localId: uid, ...changes })
    if (!response.ok) throw failed(response)
  }

  return {
    // The owner may enter any number in the profile.
    findByPhone: async (phone) => (await lookUp({ phoneNumber: [phone] }))[0]?.localId ?? null,
    async find(uid) {
      const [account] = await lookUp({ localId: [uid] })
      if (!account) return null
      const {
        createdAt = 0,
        passwordUpdatedAt: passwordSince = null,
        validSince = 0,
        disabled: isDisabled = false,
        email,
        emailVerified,
        phoneNumber: phone = null,
        providerUserInfo = [],
      } = account
      return {
        createdAt: Number(createdAt),
        passwordSince,
        validSince: Number(validSince) * 1000,
        isDisabled,
        phone,
        address: email ?? null,
        verifiedAddress: emailVerified && email ? email : null,
        signInMethods: providerUserInfo.map((one) => ({
          way: one.providerId,
          email: one.email?.toLowerCase(),
        })),
      }
    },
    endSessions: (uid, at) => update(uid, { validSince: seconds(at) }),
    unlinkSignInMethods: (uid, methods, at) =>
      update(uid, { deleteProvider: methods, validSince: seconds(at) }),
    removeAddress: (uid, methods, at) =>
      update(uid, { deleteAttribute: ['EMAIL'], deleteProvider: methods, validSince: seconds(at) }),
    async mailLink(idToken, continueUrl, language) {
      const mail = { requestType: 'VERIFY_EMAIL', idToken, continueUrl }
      const response = await call('sendOobCode', mail, { 'x-firebase-locale': language })
      if (!response.ok) throw failed(response)
    },
    async remove(uid) {
      const response = await call('delete', { localId: uid })
      if (!response.ok && !(await isGone(response))) throw failed(response)
    },
  }
}

const seconds = (at: number) => String(Math.floor(at / 1000))

const failed = ({ status }: Response) => new Error(`The sign-in service answered ${status}`)

async function isGone(response: Response): Promise<boolean> {
  return v.is(userGone, await response.json().catch(() => null))
}
