import type { KnownRefusal, UnknownRefusal } from './refusals.ts'
import type { StorageErrorCode } from './storageErrorCode.ts'

/** Without `auth/`; failures without a code are recognized by their messages. Specification, section 8. */
export const AUTH_ERROR_CODES = [
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

export type AuthErrorCode = (typeof AUTH_ERROR_CODES)[number]

export type DataOperation =
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

/** The refusal concerns the whole project or the number's country; only the project's owner can fix it. */
export type SmsRefusalScope = 'project' | 'country'

/** Lengths are characters; 0: no limit. */
export interface PasswordPolicy {
  readonly minLength: number
  readonly maxLength: number
  readonly lowercase: boolean
  readonly uppercase: boolean
  readonly digit: boolean
  readonly symbol: boolean
}

export type Failure =
  /** `isLoginPage`: the network answered with its login page, so the call has not reached us. */
  | { kind: 'network'; isLoginPage?: boolean }
  | { kind: 'auth'; code: AuthErrorCode }
  | { kind: 'passwordPolicy'; policy: PasswordPolicy }
  /** The password was refused, and the account signs in with Google. `hasPassword`: also with another password. */
  | { kind: 'googleAccount'; hasPassword: boolean }
  | { kind: 'authOther'; message: string }
  | { kind: 'noMessages'; reason: SmsRefusalScope }
  /** 'other': a code missing from the catalog. */
  | { kind: 'storage'; code: StorageErrorCode | 'other' }
  | { kind: 'data'; operation: DataOperation; cause: 'missingIndex' | 'denied' | 'unreadable' | 'other' }
  | FunctionFailure

/** `error` and `message` are the function's texts, empty if absent. */
export type FunctionFailure = {
  readonly kind: 'function'
  readonly status: number
  readonly error: string
  readonly message: string
} & (KnownRefusal | UnknownRefusal)
