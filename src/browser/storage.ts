/*
 * Stores everything that the app keeps in the browser outside its databases; no other module uses the
 * browser's storage. Nothing here throws: values that a full or blocked storage refuses stay in memory until
 * the page is closed.
 */
import type { Language } from '../../domain/common/language.ts'

/**
 * A note about a session that did not end on this page. It holds no personal data, and is kept until a user
 * signs in.
 */
export interface EndedSession {
  readonly uid: string
  /**
   * `none`: no open payment. `unpaid`: its card was never confirmed. `maybePaid`: it may have gone through.
   */
  readonly payment: 'none' | 'unpaid' | 'maybePaid'
  readonly attemptId: string | null
}

export interface GoogleRequest {
  /** The `state` that Google returns, so that the answer to another request is rejected. */
  readonly id: string
  readonly purpose: 'signIn' | 'signUp' | 'reauthenticate'
  /** The token's nonce is the SHA-256 of this value. */
  readonly rawNonce: string
  /** UTC ms, by the clock of this device. */
  readonly at: number
  /** The page over the home screen that made the request; null if none was open. */
  readonly page: string | null
}

/** Google's answer to a request. `at`: when it arrived. */
export type GoogleAnswer = GoogleRequest &
  (
    | { readonly idToken: string }
    /** An error code of OAuth 2.0. */
    | { readonly error: string }
  )

/** The home screen as its user last saw it. */
export interface HomeSnapshot {
  readonly uid: string
  readonly language: string
  /** The build that drew the snapshot. Another build may have other names for its styles. */
  readonly build: string
  /**
   * The rules of the style sheets that were fetched for the snapshot. Fetching them again would take longer
   * than everything else.
   */
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

/** Values for all tabs, kept until they are deleted. */
interface DeviceValues {
  /**
   * Proof from the link of a verification mail. The session that requested the link confirms the address with
   * it.
   */
  addressProof: string
  /** Instant (UTC ms) up to which this device has announced the expected arrivals of transfers. */
  arrivalsTold: number
  /** The user whose data is being deleted. If the page is closed before the end, the next start continues. */
  clearing: string
  ended: EndedSession
  /** ID of the last attempt whose end this device has learned. */
  endedAttempt: string
  /** Names of the font files in the browser's cache. */
  fonts: string
  /** An account without a profile was signed out, so the sign-up opens next. Specification, section 4. */
  forceSignUp: 'number' | 'account'
  google: GoogleRequest
  googleAnswer: GoogleAnswer
  home: HomeSnapshot
  /** `earned`: a transfer succeeded, so the app may offer its installation. */
  install: 'earned' | 'answered'
  /** The app has requested persistent storage. */
  keep: true
  language: Language
  /**
   * The user who is signing out. If the page is closed before the end, the next start finishes the sign-out.
   */
  leaving: string
  /** ID of the passkey that opens the app; null if the app lock is off. */
  lock: string
  /** Kinds of announcements that the user has switched off. */
  muted: readonly string[]
  /** The user has never sent to anyone, so the home screen leaves out the list of recipients. */
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
  /** The chosen color scheme, if it is not the system's. */
  scheme: 'light' | 'dark'
  /** How far the server's clock is ahead of this device's, in milliseconds. */
  serverAhead: number
  /**
   * ID of the attempt whose card has not been confirmed in any tab. Any other attempt may have been charged.
   */
  unconfirmed: string
  /** The calculator's values from before the sign-in. */
  wantedQuote: Readonly<Record<string, string | undefined>>
}

/**
 * The second copy of a row of an open payment, for a start on which the user's database can't be read. Holds
 * no card data.
 */
export interface OpenPaymentCopy {
  readonly uid: string
  readonly kind: 'transfer' | 'invoice'
  /** The attempt as its machine keeps it. */
  readonly attempt: { readonly id: string }
}

export type FormName = 'access' | 'phone' | 'identity' | 'invoice'

/** Values for one tab, kept across its reloads. */
interface TabValues extends Record<`form.${FormName}`, { readonly of: string; readonly values: object }> {
  /**
   * The page's URL before the window went to Google. It may hold an email address, so other tabs don't see
   * it.
   */
  googleFrom: string
  'statecharts.steps': unknown
  'statecharts.tab': string
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
  muted: [],
  nobodyKnown: true,
  openPayments: [],
  profile: { ...OF_USER, name: '' },
  push: OF_USER,
  serverAhead: 0,
  wantedQuote: {},
}
const TAB_SAMPLES: Samples<TabValues> = {
  'form.access': FORM,
  'form.identity': FORM,
  'form.invoice': FORM,
  'form.phone': FORM,
  'statecharts.steps': [],
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
    /** Stores the value; null deletes it. Returns whether it outlives the page. */
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
    /** Calls back when another tab changes the value. */
    watch(key: keyof Values & string, listener: () => void): () => void {
      const follow = (event: StorageEvent) => (event.key === PREFIX + key || event.key === null) && listener()
      addEventListener('storage', follow)
      return () => removeEventListener('storage', follow)
    },
  }
}

export const deviceStore = openStore<DeviceValues>(() => localStorage, DEVICE_SAMPLES)

export const tabStore = openStore<TabValues>(() => sessionStorage, TAB_SAMPLES)

/**
 * Whether the browser refuses all storage. A user who signs in is then signed out when the page is closed.
 */
export function isStorageBlocked(): boolean {
  try {
    return !localStorage
  } catch {
    return true
  }
}

/** Reads the value that another library stored under a key with this prefix, or null. */
export function readForeignValue(prefix: string): string | null {
  try {
    const key = Object.keys(localStorage).find((name) => name.startsWith(prefix))
    return localStorage.getItem(key ?? '')
  } catch {
    return null
  }
}
