import { DAY } from '../../domain/duration.ts'
import type { Language } from '../../domain/language.ts'
import { err, ok, type Result } from '../../domain/result.ts'
import type { PushProblem, PushStanding } from '../../machines/push.ts'
import { failureOf } from '../browser/failure.ts'
import { serverNow } from '../browser/serverTime.ts'
import { deviceStore, type PushRegistration } from '../browser/storage.ts'
import { withTimeout } from '../browser/withTimeout.ts'

/** How long the browser may take to get an address from its push service, in milliseconds. */
const SUBSCRIBES_WITHIN = 30_000

/** How long a sign-out waits for the server to hear of it, in milliseconds. Without it the server learns by the next message. */
const LEAVES_WITHIN = 3_000

/** After so long the server is told again, in milliseconds: of somebody's devices it keeps the last ones. */
const TOLD_FOR = 7 * DAY

const note = (registration: PushRegistration) => deviceStore.set('push', registration)

/** As long as the server has not taken it. */
const NEVER = 0

const loadService = () => import('../services/pushSubscriptions.ts')

const publicKey = import.meta.env.VITE_VAPID_PUBLIC_KEY ?? ''

/** What this device can do, and whether it is told. */
export async function pushStanding(uid: string): Promise<PushStanding> {
  const canPush = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  // iOS gives pages the interfaces once they are installed.
  if (!canPush)
    return (navigator as { standalone?: boolean }).standalone === false ? 'notInstalled' : 'unsupported'
  // In development there is no worker.
  if (!import.meta.env.PROD) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  const isToldHere = deviceStore.get('push')?.uid === uid && Notification.permission === 'granted'
  return isToldHere && (await subscription()) ? 'on' : 'off'
}

/** Has the signed-in person told on this device; the permission is there. What fails leaves no subscription. */
export async function subscribeDevice(uid: string, language: Language): Promise<Result<null, PushProblem>> {
  try {
    await tellServer(uid, await withTimeout(subscribed(), SUBSCRIBES_WITHIN), language)
    return ok(null)
  } catch (error) {
    await dropPush().catch(() => undefined)
    const failure = failureOf(error)
    const isNobodys =
      failure.kind === 'function' &&
      (failure.code === 'pushServiceUnknown' || failure.code === 'pushUnavailable')
    // Without a push service of its own, as some builds of Chromium are, the browser refuses.
    if (isNobodys || (error instanceof DOMException && error.name !== 'AbortError')) return err('noService')
    throw error
  }
}

/**
 * Ends that this device is told, at the server too where it can be reached in time. @throws when the browser goes on being told.
 */
export async function unsubscribeDevice(): Promise<void> {
  const endpoint = deviceStore.get('push')?.endpoint
  await dropPush()
  if (endpoint === undefined) return
  const { endPushSubscription } = await loadService()
  await withTimeout(endPushSubscription(endpoint), LEAVES_WITHIN).catch(() => undefined)
}

/**
 * Ends it on the device alone, and takes away what it shows still. What is not ended stays noted, for the next start.
 *
 * @throws when the browser goes on being told.
 */
export async function dropPush(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
  const current = await registration?.pushManager?.getSubscription()
  if (current && !(await current.unsubscribe())) throw new Error('The browser goes on being told')
  deviceStore.set('push', null)
}

/**
 * Brings the server up to date about a device that is told: browsers change their addresses, people their language, deployments their
 * keys. Asks the person nothing.
 */
export async function renewPush(uid: string, language: Language): Promise<void> {
  const before = deviceStore.get('push')
  if (before === null) return
  // Whoever was told here has left, and the browser did not let them end it.
  if (before.uid !== uid) return dropPush()
  if (Notification.permission !== 'granted') return unsubscribeDevice()
  const now = await subscribed()
  const isKnown =
    now.endpoint === before.endpoint &&
    language === before.language &&
    Math.abs(serverNow() - before.at) < TOLD_FOR
  if (!isKnown) await tellServer(uid, now, language)
}

/**
 * Tells the server again of a device that is told, after what ends every session but this page's, such as a new password: the server tells
 * nobody by a session that has ended. What fails is done by the next start.
 */
export async function tellPushAgain(): Promise<void> {
  const before = deviceStore.get('push')
  if (before === null) return
  note({ ...before, at: NEVER })
  await renewPush(before.uid, before.language).catch(() => undefined)
}

async function tellServer(uid: string, current: PushSubscription, language: Language) {
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = current.toJSON()
  const telling = { uid, endpoint: current.endpoint, language, at: NEVER }
  // Noted before, so that whoever leaves meanwhile ends it.
  note(telling)
  await (await loadService()).keepPushSubscription({ endpoint: endpoint ?? '', p256dh, auth }, language)
  if (deviceStore.get('push')?.endpoint === current.endpoint) note({ ...telling, at: serverNow() })
}

const subscription = async () =>
  (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? null

/** The browser's subscription by today's key: browsers take messages of no other. */
async function subscribed(): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready
  const current = await pushManager.getSubscription()
  if (current && keyOf(current) === publicKey) return current
  await current?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

function keyOf({ options: { applicationServerKey: key } }: PushSubscription): string {
  const bytes = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
