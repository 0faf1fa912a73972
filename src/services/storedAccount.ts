import type { Account } from '../../domain/account/account.ts'
import { SECOND } from '../../domain/common/duration.ts'
import { readForeignValue } from '../browser/storage.ts'

/*
 * The first paint can't wait for the SDK. This relies on the key and the fields of Firebase Auth's
 * `browserLocalPersistence` in firebase 13.1. If an update changes them, users look signed out until the SDK
 * has loaded. A test in e2e/sign-in.spec.ts compares this file with the SDK's storage.
 */

/** The project's API key and the app's name follow this prefix. */
export const ACCOUNT_KEY_PREFIX = 'firebase:authUser:'

export const isAccountKey = (key: string): boolean => key.startsWith(ACCOUNT_KEY_PREFIX)

/** Whether a user is signed in on this device, as far as can be known without the sign-in SDK. */
export const hasStoredAccount = (): boolean => readForeignValue(ACCOUNT_KEY_PREFIX) !== null

/** @throws if no user is signed in, or the account can't be read */
const readStored = () => JSON.parse(readForeignValue(ACCOUNT_KEY_PREFIX) ?? '')

/** The sign-in SDK has not confirmed this account. */
export function getStoredAccount(): Account | null {
  try {
    return toAccount(readStored())
  } catch {
    return null
  }
}

/** UTC seconds. Renewed tokens keep this time, so it names the session. Null if it can't be read. */
export function readSignInTime(): number | null {
  try {
    const [, claims] = readStored().stsTokenManager.accessToken.split('.')
    return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))).auth_time
  } catch {
    return null
  }
}

/**
 * The sign-in time of a session that ends, in UTC seconds; null if the next sign-in could have the same time. `now`: the
 * server's time in UTC milliseconds.
 */
export const describeEndedSession = (signedInAt: number | null, now: number): number | null =>
  signedInAt !== null && now < (signedInAt + 2) * SECOND ? null : signedInAt

interface SdkAccount {
  readonly uid: string
  readonly email?: string | null
  readonly phoneNumber?: string | null
  readonly emailVerified: boolean
  readonly providerData: readonly { readonly providerId: string }[]
}

export const toAccount = ({ uid, email, phoneNumber, emailVerified, providerData }: SdkAccount): Account => ({
  uid,
  email: email ?? null,
  phone: phoneNumber ?? null,
  emailVerified,
  usesPassword: providerData.some(({ providerId }) => providerId === 'password'),
})
