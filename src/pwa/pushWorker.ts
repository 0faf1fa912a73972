import { type NotificationData, updateArrivalBadge } from './arrivalBadge.ts'
import { buildPushNotification } from './pushNotification.ts'
import { buildTransferAddress, isAppAddress, type OpenTransferMessage } from './pushOpening.ts'

declare const self: ServiceWorkerGlobalScope

self.addEventListener('push', (event) => event.waitUntil(show(event.data)))

self.addEventListener('notificationclick', (event) => {
  const { id }: NotificationData = event.notification.data
  event.notification.close()
  event.waitUntil(Promise.all([open(id), updateArrivalBadge(self.registration, { id })]))
})

self.addEventListener('notificationclose', (event) => {
  event.waitUntil(updateArrivalBadge(self.registration, event.notification.data))
})

async function show(data: PushMessageData | null): Promise<void> {
  const { title, body, lang, id, isArrival } = buildPushNotification(parseData(data), fallbackLanguage())
  await self.registration.showNotification(title, {
    body,
    lang,
    // One notification per transfer, with its latest news.
    tag: id ?? 'passerelle',
    icon: '/icons/icon-192.png',
    badge: '/icons/monochrome-512.png',
    data: { id, isArrival } satisfies NotificationData,
  })
  await updateArrivalBadge(self.registration, null)
}

function parseData(data: PushMessageData | null): unknown {
  try {
    return data?.json()
  } catch {
    return null
  }
}

const fallbackLanguage = () => (self.navigator.language.startsWith('en') ? 'en' : 'fr')

/** Focuses an open app without a reload, which would lose typed values or an open payment. */
async function open(id: string | null): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const app = windows.find(({ url }) => isAppAddress(url))
  const focused = await app?.focus().catch(() => null)
  if (!focused) await self.clients.openWindow(buildTransferAddress(id))
  else if (id !== null) focused.postMessage({ type: 'transfer.open', id } satisfies OpenTransferMessage)
}
