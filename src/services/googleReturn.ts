/*
 * Google sign-in in the app's own window: stores the request while the window is at Google, then the answer
 * that the window brings back. Both are stored for the device, because an installed app can lose what is
 * stored for a tab. Each can be taken once.
 */
import { MINUTE } from '../../domain/common/duration.ts'
import { deviceStore, type GoogleAnswer, type GoogleRequest, tabStore } from '../browser/storage.ts'

/**
 * How long a user may take at Google, in milliseconds. They may have to find a password or another device.
 */
const LASTS = 10 * MINUTE

/**
 * Stores the request and returns whether that succeeded. Without the request, Google's answer can't be used.
 */
export function saveGoogleRequest(request: GoogleRequest): boolean {
  tabStore.set('googleFrom', location.pathname + location.search)
  return deviceStore.set('google', request)
}

/**
 * Takes the request with this ID and the page it left; null if this device made none in the last ten minutes.
 */
export function consumeGoogleRequest(
  id: string,
  now: number,
): { request: GoogleRequest; address: string } | null {
  const request = deviceStore.get('google')
  if (request?.id !== id) return null
  const address = tabStore.get('googleFrom') ?? (request.purpose === 'signUp' ? '/?signup' : '/')
  deviceStore.set('google', null)
  tabStore.set('googleFrom', null)
  return now - request.at <= LASTS ? { request, address } : null
}

export const saveGoogleAnswer = (answer: GoogleAnswer) => deviceStore.set('googleAnswer', answer)

/** Whether the window has just returned with an answer of any kind. */
export const hasGoogleAnswer = (): boolean => deviceStore.get('googleAnswer') !== null

/**
 * Returns the page whose re-authentication Google has answered; null if there is none. Deletes the answer to
 * a sign-in or sign-up, which a signed-in user can't use.
 */
export function getGoogleReauthenticationPage(): string | null {
  const answer = deviceStore.get('googleAnswer')
  if (answer?.purpose === 'reauthenticate') return answer.page
  deviceStore.set('googleAnswer', null)
  return null
}

/**
 * Takes the stored answer if it belongs to a re-authentication (`isProof`) or to a sign-in or sign-up
 * (otherwise). Deletes it in any case.
 */
export function consumeGoogleAnswer(isProof: boolean): GoogleAnswer | null {
  const answer = deviceStore.get('googleAnswer')
  deviceStore.set('googleAnswer', null)
  return answer && (answer.purpose === 'reauthenticate') === isProof ? answer : null
}
