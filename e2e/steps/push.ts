import type { BrowserContext, Page, Worker } from '@playwright/test'
import type { DecryptedPush } from 'service-emulators/push'
import type { Server } from '../server.ts'

// Headless Chromium has no push service and shows no notifications. The page gets a fake one with real keys,
// and a test passes the decrypted messages to the worker, which records its notifications.

/** Runs in the page. Subscriptions survive a reload. */
export function emulatePushService() {
  const KEY = 'test.push'
  interface Kept {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
    readonly applicationServerKey: string
  }
  const asSubscription = ({ endpoint, keys, applicationServerKey }: Kept) => ({
    endpoint,
    options: {
      userVisibleOnly: true,
      applicationServerKey: Uint8Array.from(
        atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/')),
        (character) => character.charCodeAt(0),
      ).buffer,
    },
    toJSON: () => ({ endpoint, keys }),
    async unsubscribe() {
      localStorage.removeItem(KEY)
      // Offline, the push service does not learn that the subscription has ended.
      await fetch(`/push/subscriptions?${new URLSearchParams({ endpoint })}`, { method: 'DELETE' }).catch(
        () => undefined,
      )
      return true
    },
  })
  const kept = () => JSON.parse(localStorage.getItem(KEY) ?? 'null') as Kept | null
  const methods = {
    async getSubscription() {
      const now = kept()
      return now && asSubscription(now)
    },
    async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
      const response = await fetch('/push/subscriptions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ applicationServerKey }),
      })
      const subscribed: Kept = { ...(await response.json()), applicationServerKey }
      localStorage.setItem(KEY, JSON.stringify(subscribed))
      return asSubscription(subscribed)
    },
  }
  Object.assign(PushManager.prototype, methods)
  Object.defineProperty(Notification, 'permission', { get: () => 'granted', configurable: true })
  Notification.requestPermission = async () => 'granted'
}

export async function fetchPushedMessages(server: Server): Promise<readonly DecryptedPush[]> {
  return (await fetch(`${server.origin}/push/messages`)).json()
}

export async function deliverPush(context: BrowserContext, page: Page, server: Server, data: string) {
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations
      if (registration) resolve(registration.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: server.origin,
    registrationId: await registered,
    data,
  })
  await session.detach()
}

interface ShownNotification {
  readonly title: string
  readonly options: NotificationOptions
}

async function getServiceWorker(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
}

/** A notification replaces an earlier one with the same tag. */
export async function watchNotifications(context: BrowserContext) {
  await (await getServiceWorker(context)).evaluate(() => {
    const shown: ShownNotification[] = []
    const state = Object.assign(self, { shown, badge: 0 })
    const setAppBadge = async (count: number) => {
      state.badge = count
    }
    Object.defineProperty(navigator, 'setAppBadge', { value: setAppBadge, configurable: true })
    ServiceWorkerRegistration.prototype.getNotifications = async () =>
      shown.map(({ options }) => ({ data: options.data, close() {} }) as Notification)
    ServiceWorkerRegistration.prototype.showNotification = async (title, options = {}) => {
      const at = shown.findIndex((one) => one.options.tag === options.tag)
      shown.splice(at < 0 ? shown.length : at, at < 0 ? 0 : 1, { title, options })
    }
  })
}

export async function readShownNotifications(context: BrowserContext) {
  return (await getServiceWorker(context)).evaluate(() => {
    const { shown } = self as unknown as { shown: ShownNotification[] }
    return shown.map(({ title, options: { body, tag, lang } }) => ({
      title,
      body: body?.replace(/\s/g, ' '),
      tag,
      lang,
    }))
  })
}

export const readBadge = async (context: BrowserContext): Promise<number> =>
  (await getServiceWorker(context)).evaluate(() => (self as unknown as { badge: number }).badge)

/** Returns the URL that the worker has opened; null if it has focused a window. */
export async function pressNotification(
  context: BrowserContext,
  { isFocusRefused = false } = {},
): Promise<string | null> {
  return (await getServiceWorker(context)).evaluate(async (isFocusRefused) => {
    const scope = self as unknown as ServiceWorkerGlobalScope & { readonly shown: ShownNotification[] }
    const [pressed] = scope.shown
    if (!pressed) throw new Error('Nothing is shown')
    const work: Promise<unknown>[] = []
    let opened: string | null = null
    WindowClient.prototype.focus = async function () {
      if (isFocusRefused) throw new DOMException('Not allowed to focus a window.', 'InvalidAccessError')
      return this
    }
    scope.clients.openWindow = async (address) => {
      opened = String(address)
      return null
    }
    const notification = { data: pressed.options.data, close: () => void scope.shown.shift() }
    const event = new ExtendableEvent('notificationclick')
    event.waitUntil = (promise) => void work.push(promise)
    scope.dispatchEvent(Object.assign(event, { notification }))
    await Promise.all(work)
    return opened
  }, isFocusRefused)
}

/** Runs in the page. Closing the notification sets `window.isShown` to false. */
export function emulateShownNotification() {
  const state = Object.assign(window, { isShown: true, badge: 1 })
  const close = () => Object.assign(state, { isShown: false })
  const notification = { data: { id: 'pi_other', isArrival: true }, close } as unknown as Notification
  ServiceWorkerRegistration.prototype.getNotifications = async () => (state.isShown ? [notification] : [])
  const setAppBadge = async (count: number) => void Object.assign(state, { badge: count })
  Object.defineProperty(navigator, 'setAppBadge', { value: setAppBadge, configurable: true })
}

/** Runs in the page. */
export function readShownNotification() {
  const { isShown, badge } = window as unknown as { isShown: boolean; badge: number }
  return { isShown, badge }
}
