/*
 * Everything that the app keeps in the browser outside of its databases, and the only module that touches the browser's storage.
 * Nothing here throws: what a full or blocked storage refuses is kept in memory until the page is closed.
 */
import type { Language } from '../../domain/language.ts'

/** A session that ended somewhere other than on this page. It holds no personal data, and stays until a user signs in. */
export interface EndedSession {
  readonly uid: string
  /** What was in progress: nothing, a payment whose card was never confirmed, or one that may have gone through. */
  readonly payment: 'none' | 'unpaid' | 'maybePaid'
  readonly attemptId: string | null
}

export interface GoogleRequest {
  /** Google returns it, so that the answer to another request is not accepted. */
  readonly id: string
  readonly purpose: 'signIn' | 'signUp' | 'reauthenticate'
  /** The nonce of the token is its SHA-256. */
  readonly rawNonce: string
  /** UTC ms, by the clock of this device. */
  readonly at: number
  /** The page of the app on which a proof was requested. */
  readonly page: string | null
}

/** The answer from Google, and when it arrived (`at`). */
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
  /** The build that drew it. Another build may have other names for its styles. */
  readonly build: string
  /** The rules of the style sheets that were fetched for it. Fetching them again would take longer than everything else. */
  readonly styles: string
  readonly html: string
}

/** This device's push subscription, as the server was last told about it. `at`: UTC ms. */
export interface PushRegistration {
  readonly uid: string
  readonly endpoint: string
  readonly language: Language
  readonly at: number
}

/** Kept for all tabs, until it is deleted. */
interface DeviceValues {
  /** Arrivals expected up to this instant (UTC ms) were announced on this device. */
  arrivalsTold: number
  /** The user whose data are being deleted. If the page is closed meanwhile, the next start goes on. */
  clearing: string
  ended: EndedSession
  /** The font files that are in the browser's cache. */
  fonts: string
  /** An account without a profile was signed out, so the sign-up opens next. Specification, section 4. */
  forceSignUp: 'number' | 'account'
  google: GoogleRequest
  googleAnswer: GoogleAnswer
  home: HomeSnapshot
  /** `earned`: a transfer went well, so the app may offer to be installed. */
  install: 'earned' | 'answered'
  /** The browser was asked to keep the databases. */
  keep: true
  language: Language
  /** The user who is signing out. If the page is closed meanwhile, the next start finishes the sign-out. */
  leaving: string
  /** The announcements that are switched off. */
  muted: readonly string[]
  /** The user has never sent to anyone, so the home screen leaves out the list of recipients. */
  nobodyKnown: true
  profile: {
    readonly uid: string
    readonly name: string
    readonly email: string | null
    readonly phone: string | null
  }
  push: PushRegistration
  /** How far the server's clock is ahead of this device's, in milliseconds. */
  serverAhead: number
  /** The attempt whose card was not confirmed yet, in any tab. Without this note money may have moved. */
  unconfirmed: string
  /** What was typed into the calculator before the sign-in. */
  wantedQuote: Readonly<Record<string, string | undefined>>
}

export type FormName = 'access' | 'phone' | 'identity' | 'invoice'

/** Kept for one tab, and across its reloads. */
interface TabValues extends Record<`form.${FormName}`, { readonly of: string; readonly values: object }> {
  /** The address of the window that went to Google. It may hold an email address, so other tabs do not see it. */
  googleFrom: string
  'statecharts.steps': unknown
  'statecharts.tab': string
}

const PREFIX = 'passerelle.'

function openStore<Values>(open: () => Storage) {
  const refused = new Map<string, string>()
  return {
    get<Key extends keyof Values & string>(key: Key): Values[Key] | null {
      try {
        return JSON.parse(refused.get(key) ?? open().getItem(PREFIX + key) ?? 'null')
      } catch {
        return null
      }
    },
    /** Null deletes. Answers whether the value outlives the page. */
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

export const deviceStore = openStore<DeviceValues>(() => localStorage)

export const tabStore = openStore<TabValues>(() => sessionStorage)

/** Whether the browser refuses its storage altogether. A user who signs in is then signed out when the page is closed. */
export function isStorageBlocked(): boolean {
  try {
    return !localStorage
  } catch {
    return true
  }
}

/** What another library has stored under a key that starts with the prefix; null if there is nothing. */
export function readForeign(prefix: string): string | null {
  try {
    const key = Object.keys(localStorage).find((name) => name.startsWith(prefix))
    return localStorage.getItem(key ?? '')
  } catch {
    return null
  }
}
