import type { Received, UnknownRefusal } from './refusals.ts'
import type { StorageCode } from './storageCode.ts'

/**
 * What the sign-in service and its library refuse, by their own codes without the `auth/` in front; the two lengths of a
 * number and what a blocking function refuses are told apart by the words that come with them. Specification, section 8.
 */
export const AUTH_CODES = [
  'account-exists-with-different-credential',
  'admin-restricted-operation',
  'blocked-by-function',
  'cancelled-popup-request',
  'captcha-check-failed',
  'captcha-expired',
  'captcha-init-failed',
  'code-expired',
  'credential-already-in-use',
  'email-already-in-use',
  'expired-action-code',
  'internal-error',
  'invalid-action-code',
  'invalid-credential',
  'invalid-email',
  'invalid-phone-number',
  'invalid-user-token',
  'invalid-verification-code',
  'invalid-verification-id',
  'missing-or-invalid-nonce',
  'operation-not-allowed',
  'phone-number-too-long',
  'phone-number-too-short',
  'popup-blocked',
  'popup-closed-by-user',
  'provider-already-linked',
  'quota-exceeded',
  'requires-recent-login',
  'token-too-old',
  'too-many-requests',
  'unauthorized-continue-uri',
  'unauthorized-domain',
  'user-disabled',
  'user-mismatch',
  'user-not-found',
  'user-token-expired',
  'weak-password',
  'web-storage-unsupported',
  'wrong-password',
] as const

export type AuthCode = (typeof AUTH_CODES)[number]

export type Operation =
  | 'createProfile'
  | 'fetchProfile'
  | 'updateProfile'
  | 'fetchHistory'
  | 'fetchContacts'
  | 'addContact'
  | 'renameContact'
  | 'deleteContact'
  | 'fetchFiles'
  | 'submitIdentity'
  | 'fetchInvoicePayments'
  | 'fetchLedger'

/** Why nobody is sent a text message: the whole project can't, or not to that country. Nobody but its owner can mend it. */
export type NoMessages = 'project' | 'country'

/** Everything a hosted service can answer instead of what was asked. Texts are made where it is shown. */
export type Failure =
  | { kind: 'network' }
  | { kind: 'auth'; code: AuthCode }
  | { kind: 'authOther'; message: string }
  | { kind: 'noMessages'; reason: NoMessages }
  /** 'other': a code that the catalogue does not have. */
  | { kind: 'storage'; code: StorageCode | 'other' }
  | { kind: 'data'; operation: Operation; cause: 'missingIndex' | 'denied' | 'other' }
  | FunctionFailure

/** A function has refused. `error` and `message`: its own words, empty without any. */
export type FunctionFailure = {
  readonly kind: 'function'
  readonly status: number
  readonly error: string
  readonly message: string
} & (Received | UnknownRefusal)
