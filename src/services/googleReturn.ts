import { MINUTE } from '../../domain/duration.ts'

/**
 * A sign-in with Google by the app's own window: what is kept while the window is elsewhere, and what it brings back. Both are in
 * the local storage, because an installed app can lose its session storage meanwhile. Each of the two is given out once.
 */
const REQUEST = 'passerelle.google'
const ANSWER = 'passerelle.googleAnswer'
/** The key under which the place of the window is kept. The place may name an address that was typed, so it is kept for this tab alone. */
const PLACE = 'passerelle.googleFrom'

/** How long somebody may take at Google, in milliseconds. They may have to look for a password, or for another device. */
const LASTS = 10 * MINUTE

export interface GoogleRequest {
  /** Google gives it back, so that the answer to another request, such as somebody else's, is not taken. */
  readonly id: string
  readonly purpose: 'signIn' | 'signUp' | 'reauthenticate'
  /** The nonce of the token is its SHA-256. */
  readonly rawNonce: string
  /** UTC ms, by the clock of this device. */
  readonly at: number
  /** The page of the app on which a proof was asked for. */
  readonly page: string | null
}

/** What the window brought back, and when (`at`). */
export type GoogleAnswer = GoogleRequest &
  (
    | { readonly idToken: string }
    /** An error code of OAuth 2.0. */
    | { readonly error: string }
  )

/** @throws where nothing can be kept. */
export function keepGoogleRequest(request: GoogleRequest) {
  localStorage.setItem(REQUEST, JSON.stringify(request))
  sessionStorage.setItem(PLACE, location.pathname + location.search)
}

/** The request of this id, and where its window was; null when none was made on this device in the last ten minutes. */
export function takeGoogleRequest(
  id: string,
  now: number,
): { request: GoogleRequest; address: string } | null {
  const request = read<GoogleRequest>(REQUEST)
  if (request?.id !== id) return null
  const address = sessionStorage.getItem(PLACE) ?? (request.purpose === 'signUp' ? '/?signup' : '/')
  localStorage.removeItem(REQUEST)
  sessionStorage.removeItem(PLACE)
  return now - request.at <= LASTS ? { request, address } : null
}

export const keepGoogleAnswer = (answer: GoogleAnswer) => localStorage.setItem(ANSWER, JSON.stringify(answer))

/** Whether the window has just come back with an answer, of whatever kind. */
export const hasGoogleAnswer = (): boolean => localStorage.getItem(ANSWER) !== null

/** The page that asked for the proof that has come back. Any other answer is useless to a signed-in person, and is deleted. */
export function googleProofPage(): string | null {
  const answer = read<GoogleAnswer>(ANSWER)
  if (answer?.purpose === 'reauthenticate') return answer.page
  localStorage.removeItem(ANSWER)
  return null
}

/** Gives out the answer of this kind: to a sign-in, or to a request to prove who is signed in. One of the other kind is deleted. */
export function takeGoogleAnswer(isProof: boolean): GoogleAnswer | null {
  const answer = read<GoogleAnswer>(ANSWER)
  localStorage.removeItem(ANSWER)
  return answer && (answer.purpose === 'reauthenticate') === isProof ? answer : null
}

function read<Kept>(key: string): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}
