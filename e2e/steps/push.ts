import type { BrowserContext, Page, Worker } from '@playwright/test'
import type { PushedMessage } from 'service-emulators/push'
import type { Server } from '../server.ts'

// Chromium without a window has no push service, and shows no notifications. The page gets a push service whose keys are real: what the
// server sends is encrypted for it, the sandbox's push service takes it, and what it says is handed to the worker as the browser would.
// What the worker shows is written down in it.

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
  Object.defineProperty(Notification, 'permission', { get: () => 'granted', configurable: true })
  Notification.requestPermission = async () => 'granted'
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

/** What the worker shows, in itself. */
interface Shown {
  readonly title: string
  readonly options: NotificationOptions
}

async function workerOf(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
}

/** From now on the worker writes down what it shows. Of one tag there is one notification. */
export async function watchNotifications(context: BrowserContext) {
  await (await workerOf(context)).evaluate(() => {
    const shown: Shown[] = []
    Object.assign(self, { shown })
    ServiceWorkerRegistration.prototype.showNotification = async (title, options = {}) => {
      const at = shown.findIndex((one) => one.options.tag === options.tag)
      shown.splice(at < 0 ? shown.length : at, at < 0 ? 0 : 1, { title, options })
    }
  })
}

/** What the worker shows. */
export async function shownNotifications(context: BrowserContext) {
  return (await workerOf(context)).evaluate(() => {
    const { shown } = self as unknown as { shown: Shown[] }
    return shown.map(({ title, options: { body, tag, lang } }) => ({
      title,
      body: body?.replace(/\s/g, ' '),
      tag,
      lang,
    }))
  })
}

/**
 * A press on the notification that is shown. Nobody can press it here: the worker is told so, and may bring windows to the front as after a
 * real press. Answers the address that it opened; null when it brought one to the front.
 */
export async function pressNotification(context: BrowserContext): Promise<string | null> {
  return (await workerOf(context)).evaluate(async () => {
    const scope = self as unknown as ServiceWorkerGlobalScope & { readonly shown: Shown[] }
    const [pressed] = scope.shown
    if (!pressed) throw new Error('Nothing is shown')
    const work: Promise<unknown>[] = []
    let opened: string | null = null
    WindowClient.prototype.focus = async function () {
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
  })
}

/** Runs in the page: the device shows something of the app. Answers nothing; `window.isShown` says whether it still does. */
export function showSomething() {
  const state = Object.assign(window, { isShown: true })
  const notification = { close: () => Object.assign(state, { isShown: false }) } as unknown as Notification
  ServiceWorkerRegistration.prototype.getNotifications = async () => [notification]
}

/** Runs in the page: a browser that is told nothing with the app closed. */
export function noPushManager() {
  Reflect.deleteProperty(window, 'PushManager')
}
