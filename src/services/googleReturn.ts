/*
 * Google sign-in in the app's own window: the request is kept while the window is at Google, and the answer that it brings back.
 * Both are kept for the device, because an installed app can lose what is kept for a tab. Each is given out once.
 */
import { MINUTE } from '../../domain/duration.ts'
import { deviceStore, type GoogleAnswer, type GoogleRequest, tabStore } from '../browser/storage.ts'

/** How long somebody may take at Google, in milliseconds. They may have to look for a password, or for another device. */
const LASTS = 10 * MINUTE

/** Answers whether the request is kept: without it the answer from Google is of no use. */
export function keepGoogleRequest(request: GoogleRequest): boolean {
  tabStore.set('googleFrom', location.pathname + location.search)
  return deviceStore.set('google', request)
}

/** The request of this id, and where its window was; null when none was made on this device in the last ten minutes. */
export function takeGoogleRequest(
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

export const keepGoogleAnswer = (answer: GoogleAnswer) => deviceStore.set('googleAnswer', answer)

/** Whether the window has just come back with an answer, of whatever kind. */
export const hasGoogleAnswer = (): boolean => deviceStore.get('googleAnswer') !== null

/** The page that asked for the proof that has come back. Any other answer is useless to a signed-in person, and is deleted. */
export function googleProofPage(): string | null {
  const answer = deviceStore.get('googleAnswer')
  if (answer?.purpose === 'reauthenticate') return answer.page
  deviceStore.set('googleAnswer', null)
  return null
}

/** Gives out the answer of this kind: to a sign-in, or to a request to prove who is signed in. One of the other kind is deleted. */
export function takeGoogleAnswer(isProof: boolean): GoogleAnswer | null {
  const answer = deviceStore.get('googleAnswer')
  deviceStore.set('googleAnswer', null)
  return answer && (answer.purpose === 'reauthenticate') === isProof ? answer : null
}
