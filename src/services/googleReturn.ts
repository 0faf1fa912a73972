/*
 * An installed app can lose what is stored for a tab, so request and answer are stored for the device. Each
 * can be taken once.
 */
import { MINUTE } from '../../domain/common/duration.ts'
import { deviceStore, type GoogleAnswer, type GoogleRequest, tabStore } from '../browser/storage.ts'

/** In milliseconds. Users may have to find a password or another device. */
const LASTS = 10 * MINUTE

/** Without the stored request, Google's answer can't be used. */
export function saveGoogleRequest(request: GoogleRequest): boolean {
  tabStore.set('googleFrom', location.pathname + location.search)
  return deviceStore.set('google', request)
}

/** Null if this device made no such request in the last ten minutes. */
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

export const hasGoogleAnswer = (): boolean => deviceStore.get('googleAnswer') !== null

/** Deletes the answer to a sign-in or sign-up, which a signed-in user can't use. */
export function getGoogleReauthenticationPage(): string | null {
  const answer = deviceStore.get('googleAnswer')
  if (answer?.purpose === 'reauthenticate') return answer.page
  deviceStore.set('googleAnswer', null)
  return null
}

/** Deletes it in any case. */
export function consumeGoogleAnswer(isProof: boolean): GoogleAnswer | null {
  const answer = deviceStore.get('googleAnswer')
  deviceStore.set('googleAnswer', null)
  return answer && (answer.purpose === 'reauthenticate') === isProof ? answer : null
}
