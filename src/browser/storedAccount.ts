import type { Account } from '../../domain/account.ts'
import { readForeign } from './storage.ts'

/*
 * Who is signed in, read from where the sign-in SDK keeps it. The SDK has no way to be asked before it is loaded and
 * has read its storage, and the first paint does not wait for that. This leans on the key and on the fields of Firebase Auth's
 * `browserLocalPersistence`, as they are in firebase 13.1. When an update moves them, everybody is taken for signed out until the
 * SDK says otherwise: the sign-in is painted first, and other tabs hear of a sign-out late. A test in e2e/ways-in.spec.ts
 * compares this file with what the SDK has stored.
 */

/** How the key begins under which the SDK keeps an account; the key of the project and the name of the app follow. */
export const ACCOUNT_KEY = 'firebase:authUser:'

/** Whether this is where the sign-in SDK keeps an account. */
export const isAccountKey = (key: string): boolean => key.startsWith(ACCOUNT_KEY)

/** Whether somebody signed in on this device, as far as can be told without the sign-in SDK. */
export const hasStoredAccount = (): boolean => readForeign(ACCOUNT_KEY) !== null

/**
 * Who signed in on this device, before the sign-in SDK is there to say whether it is still so; null when nobody did, or
 * when what is stored can't be read.
 */
export function storedAccount(): Account | null {
  try {
    const stored = JSON.parse(readForeign(ACCOUNT_KEY) ?? 'null')
    return stored && accountOf(stored)
  } catch {
    return null
  }
}

/** An account of the sign-in SDK: the object that it gives to the app, or what it has stored. */
interface SdkAccount {
  readonly uid: string
  readonly email?: string | null
  readonly phoneNumber?: string | null
  readonly emailVerified: boolean
  readonly providerData: readonly { readonly providerId: string }[]
}

export const accountOf = ({ uid, email, phoneNumber, emailVerified, providerData }: SdkAccount): Account => ({
  uid,
  email: email ?? null,
  phone: phoneNumber ?? null,
  emailVerified,
  usesPassword: providerData.some(({ providerId }) => providerId === 'password'),
})
