/*
 * No other module uses the browser's storage. Nothing here throws: refused values stay in memory until the
 * page is closed.
 */
import type { Language } from '../../domain/common/language.ts'

/** A note about a session that ended elsewhere. It holds no personal data. */
export interface EndedSession {
  readonly uid: string
  /** `unpaid`: its card was never confirmed. `maybePaid`: it may have gone through. */
  readonly payment: 'none' | 'unpaid' | 'maybePaid'
  readonly attemptId: string | null
}

export interface GoogleRequest {
  /** Google returns this `state`, so that the answer to another request is rejected. */
  readonly id: string
  readonly purpose: 'signIn' | 'signUp' | 'reauthenticate'
  /** The token's nonce is the SHA-256 of this value. */
  readonly rawNonce: string
  /** UTC ms, by the clock of this device. */
  readonly at: number
  /** The page over the home screen that made the request, or null. */
  readonly page: string | null
}

export type GoogleAnswer = GoogleRequest &
  (
    | { readonly idToken: string }
    /** An error code of OAuth 2.0. */
    | { readonly error: string }
  )

export interface HomeSnapshot {
  readonly uid: string
  readonly language: string
  /** Another build may have other names for its styles. */
  readonly build: string
  /** Fetching the style sheets again would take longer than everything else. */
  readonly styles: string
  readonly html: string
}

/** This device's push subscription as last reported to the server, at `at` (UTC ms). */
export interface PushRegistration {
  readonly uid: string
  readonly endpoint: string
  readonly language: Language
  readonly at: number
}

/** The passkey that opens the app, which a user has switched on. */
export interface AppLockNote {
  readonly uid: string
  readonly passkey: string
}

interface DeviceValues {
  /** The session that requested the verification mail confirms the address with this proof. */
  addressProof: string
  /** Arrivals expected up to this instant (UTC ms) are announced. */
  arrivalsTold: number
  /** The next start continues an unfinished deletion. */
  clearing: string
  ended: EndedSession
  /** ID of the last attempt whose end this device has learned. */
  endedAttempt: string
  fonts: string
  /** An account without a profile was signed out. Specification, section 4. */
  forceSignUp: 'number' | 'account'
  google: GoogleRequest
  googleAnswer: GoogleAnswer
  home: HomeSnapshot
  /** `earned`: a transfer succeeded, so the app may offer its installation. */
  install: 'earned' | 'answered'
  keep: true
  language: Language
  /** The next start finishes an interrupted sign-out. */
  leaving: string
  lock: AppLockNote
  /** Kinds of announcements that the user has switched off. */
  muted: readonly string[]
  /** The home screen of a user who has never sent money leaves out the list of recipients. */
  nobodyKnown: true
  /** Oldest first. */
  openPayments: readonly OpenPaymentCopy[]
  profile: {
    readonly uid: string
    readonly name: string
    readonly email: string | null
    readonly phone: string | null
  }
  push: PushRegistration
  scheme: 'light' | 'dark'
  /** In milliseconds. */
  serverAhead: number
  /** When the user signed in (UTC s) whose session this device ended last. */
  signedOut: number
  /**
   * ID of the attempt whose card has not been confirmed in any tab. Any other attempt may have been charged.
   */
  unconfirmed: string
  wantedQuote: Readonly<Record<string, string | undefined>>
}

/** Holds no card data. */
export interface OpenPaymentCopy {
  readonly uid: string
  readonly kind: 'transfer' | 'invoice'
  /** The attempt as its machine keeps it. */
  readonly attempt: { readonly id: string }
  /** Known once the server has reserved the payment. */
  readonly paymentIntentId?: string
}

export type FormName = 'access' | 'phone' | 'identity' | 'invoice'

interface TabValues extends Record<`form.${FormName}`, { readonly of: string; readonly values: object }> {
  /** This URL may hold an email address, so other tabs don't see it. */
  googleFrom: string
}

type Samples<Values> = Readonly<Partial<Record<keyof Values, unknown>>>

const OF_USER = { uid: '' }
const FORM = { of: '', values: {} }

/** Shapes of the values that are not texts. Older and foreign code may have stored anything. */
const DEVICE_SAMPLES: Samples<DeviceValues> = {
  arrivalsTold: 0,
  ended: OF_USER,
  google: {},
  googleAnswer: {},
  home: OF_USER,
  keep: true,
  lock: OF_USER,
  muted: [],
  nobodyKnown: true,
  openPayments: [],
  profile: { ...OF_USER, name: '' },
  push: OF_USER,
  serverAhead: 0,
  signedOut: 0,
  wantedQuote: {},
}
const TAB_SAMPLES: Samples<TabValues> = {
  'form.access': FORM,
  'form.identity': FORM,
  'form.invoice': FORM,
  'form.phone': FORM,
}

/** Whether a value has the type of the sample and, with these types, all of its fields. */
const hasShape = (value: unknown, sample: unknown): boolean =>
  typeof value === typeof sample &&
  Array.isArray(value) === Array.isArray(sample) &&
  Object.entries(sample as object).every(([name, one]) =>
    hasShape((value as Record<string, unknown> | null)?.[name], one),
  )

const PREFIX = 'passerelle.'

function openStore<Values>(open: () => Storage, samples: Samples<Values>) {
  const refused = new Map<string, string>()
  return {
    get<Key extends keyof Values & string>(key: Key): Values[Key] | null {
      try {
        const value = JSON.parse(refused.get(key) ?? open().getItem(PREFIX + key) ?? 'null')
        return hasShape(value, samples[key] ?? '') ? value : null
      } catch {
        return null
      }
    },
    /** Null deletes the value. Returns whether it outlives the page. */
    set<Key extends keyof Values & string>(key: Key, value: Values[Key] | null): boolean {
      refused.delete(key)
      const text = JSON.stringify(value)
      try {
        if (value === null) open().removeItem(PREFIX + key)
        else open().setItem(PREFIX + key, text)
        return true
      } catch {
        refused.set(key, text)
        return false
      }
    },
    watch(key: keyof Values & string, listener: () => void): () => void {
      const follow = (event: StorageEvent) => (event.key === PREFIX + key || event.key === null) && listener()
      addEventListener('storage', follow)
      return () => removeEventListener('storage', follow)
    },
  }
}

export const deviceStore = openStore<DeviceValues>(() => localStorage, DEVICE_SAMPLES)

export const tabStore = openStore<TabValues>(() => sessionStorage, TAB_SAMPLES)

/** A user is then signed out when the page is closed. */
export function isStorageBlocked(): boolean {
  try {
    return !localStorage
  } catch {
    return true
  }
}

export function readForeignValue(prefix: string): string | null {
  try {
    const key = Object.keys(localStorage).find((name) => name.startsWith(prefix))
    return localStorage.getItem(key ?? '')
  } catch {
    return null
  }
}
