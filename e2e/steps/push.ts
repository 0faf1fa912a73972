import type { BrowserContext, Page } from '@playwright/test'
import type { PushedMessage } from '../../emulators/push/push.ts'
import type { Server } from '../server.ts'

// Chromium without a window has no push service. The page gets one whose keys are real: what the server sends is encrypted for it, the
// sandbox's push service takes it, and what it says is handed to the worker as the browser would.

/** Runs in the page: the browser's side of the sandbox's push service. What is subscribed outlives a reload. */
export function bePushed() {
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
      // The push service hears of it when there is a network.
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
}

/** Runs in the page: the browser's answer to its question, which it asks once. */
export function answerPermission(answer: NotificationPermission) {
  let now: NotificationPermission = 'default'
  Object.defineProperty(Notification, 'permission', { get: () => now, configurable: true })
  Notification.requestPermission = async () => {
    now = answer
    return answer
  }
}

/** What the push service has for the browsers, by what it says. */
export async function pushed(server: Server): Promise<readonly PushedMessage[]> {
  return (await fetch(`${server.origin}/push/messages`)).json()
}

/** Hands a message to the worker of the page, as the browser does when one comes, the app open or closed. */
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

/** What the device shows of the app. */
export const shownNotifications = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    const shown = (await registration?.getNotifications()) ?? []
    return shown.map(({ title, body, tag, lang }) => ({ title, body: body.replace(/\s/g, ' '), tag, lang }))
  })

/**
 * A press on the notification that is shown. Nobody can press it here: the worker is told so, and may bring windows to the front as after a
 * real press. Answers the address that it opened; null when it brought one to the front.
 */
export async function pressNotification(context: BrowserContext): Promise<string | null> {
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('There is no worker')
  return worker.evaluate(async () => {
    const scope = self as unknown as ServiceWorkerGlobalScope
    const [notification] = await scope.registration.getNotifications()
    if (!notification) throw new Error('Nothing is shown')
    const work: Promise<unknown>[] = []
    let opened: string | null = null
    ExtendableEvent.prototype.waitUntil = (promise) => void work.push(promise)
    WindowClient.prototype.focus = async function () {
      return this
    }
    scope.clients.openWindow = async (address) => {
      opened = String(address)
      return null
    }
    scope.dispatchEvent(new NotificationEvent('notificationclick', { notification }))
    await Promise.all(work)
    return opened
  })
}

/** Runs in the page: a browser that is told nothing with the app closed. */
export function noPushManager() {
  Reflect.deleteProperty(window, 'PushManager')
}
