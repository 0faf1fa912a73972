import { DAY } from '../../domain/common/duration.ts'
import type { Language } from '../../domain/common/language.ts'
import { err, ok, type Result } from '../../domain/common/result.ts'
import type { PushProblem, PushState } from '../../machines/push.ts'
import { toFailure } from '../browser/failure.ts'
import { doesServerAnswer } from '../browser/importWithRetry.ts'
import { serverNow } from '../browser/serverTime.ts'
import { deviceStore, type PushRegistration } from '../browser/storage.ts'
import { withTimeout } from '../browser/withTimeout.ts'
import { showBadge } from './arrivalBadge.ts'
import { findServiceWorkers } from './serviceWorkers.ts'

/** In milliseconds. */
const SUBSCRIBES_WITHIN = 30_000

/**
 * In milliseconds. A server that does not respond learns of the sign-out when its next message to the device
 * fails.
 */
const LEAVES_WITHIN = 3_000

/** In milliseconds. A browser that hangs must prevent no sign-out. */
const BROWSER_ANSWERS_WITHIN = 10_000

/** In milliseconds. The server keeps only a user's most recent devices, so the device reports again. */
const TOLD_FOR = 7 * DAY

const note = (registration: PushRegistration) => deviceStore.set('push', registration)

/** The time of the last report until the server has accepted one. */
const NEVER = 0

const loadService = () => import('../services/pushSubscriptions.ts')

const publicKey = import.meta.env.VITE_VAPID_PUBLIC_KEY ?? ''

export async function readPushState(uid: string): Promise<PushState> {
  const canPush = findServiceWorkers() !== null && 'PushManager' in window && 'Notification' in window
  // iOS has the API only in installed apps.
  if (!canPush)
    return (navigator as { standalone?: boolean }).standalone === false ? 'notInstalled' : 'unsupported'
  if (!import.meta.env.PROD) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  const isToldHere = deviceStore.get('push')?.uid === uid && Notification.permission === 'granted'
  return isToldHere && (await withTimeout(readSubscription(), BROWSER_ANSWERS_WITHIN)) ? 'on' : 'off'
}

/** A failure leaves no subscription. */
export async function subscribeDevice(uid: string, language: Language): Promise<Result<null, PushProblem>> {
  try {
    await tellServer(uid, await withTimeout(ensureSubscription(), SUBSCRIBES_WITHIN), language)
    return ok(null)
  } catch (error) {
    await unsubscribeLocally().catch(() => undefined)
    const failure = toFailure(error)
    const isNobodys =
      failure.kind === 'function' &&
      (failure.code === 'pushServiceUnknown' || failure.code === 'pushUnavailable')
    // Some builds of Chromium have no push service.
    if (isNobodys || (error instanceof DOMException && error.name !== 'AbortError')) return err('noService')
    // With a network, the browser has no push service or has switched it off, as Brave does at first.
    if (error instanceof DOMException && (await doesServerAnswer())) return err('serviceOff')
    throw error
  }
}

/** @throws if the browser stays subscribed. */
export async function unsubscribeDevice(): Promise<void> {
  const endpoint = deviceStore.get('push')?.endpoint
  await unsubscribeLocally()
  if (endpoint === undefined) return
  const { deletePushSubscription } = await loadService()
  await withTimeout(deletePushSubscription(endpoint), LEAVES_WITHIN).catch(() => undefined)
}

/**
 * If the browser stays subscribed, the note is kept for the next start. @throws if the browser stays
 * subscribed.
 */
export const unsubscribeLocally = (): Promise<void> => withTimeout(leavePushService(), BROWSER_ANSWERS_WITHIN)

async function leavePushService() {
  const registration = await findServiceWorkers()?.getRegistration()
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
  await showBadge(0)
  const current = await registration?.pushManager?.getSubscription()
  if (current && !(await current.unsubscribe())) throw new Error('The browser goes on being told')
  deviceStore.set('push', null)
}

/** Browsers change their push URLs, users their language and deployments their keys. Shows no prompt. */
export async function refreshPushRegistration(uid: string, language: Language): Promise<void> {
  const before = deviceStore.get('push')
  if (before === null) return
  // The previous user has signed out, but the browser failed to unsubscribe.
  if (before.uid !== uid) return unsubscribeLocally()
  if (Notification.permission !== 'granted') return unsubscribeDevice()
  const now = await ensureSubscription()
  const isKnown =
    now.endpoint === before.endpoint &&
    language === before.language &&
    Math.abs(serverNow() - before.at) < TOLD_FOR
  if (!isKnown) await tellServer(uid, now, language)
}

/**
 * The server sends nothing to a session that e.g. a new password ended. The next start repeats a failed
 * report.
 */
export async function repeatPushRegistration(): Promise<void> {
  const before = deviceStore.get('push')
  if (before === null) return
  note({ ...before, at: NEVER })
  await refreshPushRegistration(before.uid, before.language).catch(() => undefined)
}

async function tellServer(uid: string, current: PushSubscription, language: Language) {
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = current.toJSON()
  const telling = { uid, endpoint: current.endpoint, language, at: NEVER }
  // A sign-out in the meantime then unsubscribes the device.
  note(telling)
  await (await loadService()).savePushSubscription({ endpoint: endpoint ?? '', p256dh, auth }, language)
  if (deviceStore.get('push')?.endpoint === current.endpoint) note({ ...telling, at: serverNow() })
}

const readSubscription = async () =>
  (await (await findServiceWorkers()?.getRegistration())?.pushManager.getSubscription()) ?? null

/** Browsers refuse messages signed with another key. */
async function ensureSubscription(): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready
  const current = await pushManager.getSubscription()
  if (current && encodeKey(current) === publicKey) return current
  await current?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

function encodeKey({ options: { applicationServerKey: key } }: PushSubscription): string {
  const bytes = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
