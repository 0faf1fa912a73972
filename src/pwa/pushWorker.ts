// What the service worker does with messages, besides keeping the app (`scripts/build/precache.ts`): it shows each of them, and opens
// the app where a notification was pressed. The build puts it into a file of its own (`scripts/build/pushWorker.ts`).
import { shownPush } from './pushNotification.ts'
import { isApp, type OpenTransfer, transferAddress } from './pushOpening.ts'

declare const self: ServiceWorkerGlobalScope

self.addEventListener('push', (event) => event.waitUntil(show(event.data)))

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data))
})

function show(data: PushMessageData | null): Promise<void> {
  const { title, body, lang, id } = shownPush(parsed(data), fallbackLanguage())
  return self.registration.showNotification(title, {
    body,
    lang,
    // Of one transfer there is one notification, and the last news are in it.
    tag: id ?? 'passerelle',
    icon: '/icons/icon-192.png',
    badge: '/icons/monochrome-512.png',
    data: id,
  })
}

function parsed(data: PushMessageData | null): unknown {
  try {
    return data?.json()
  } catch {
    return null
  }
}

const fallbackLanguage = () => (self.navigator.language.startsWith('en') ? 'en' : 'fr')

/** Where the app is open it comes to the front as it is: what was typed there, or is being paid, must not be lost by loading it anew. */
async function open(id: string | null): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const app = windows.find(({ url }) => isApp(url))
  if (!app) {
    await self.clients.openWindow(transferAddress(id))
    return
  }
  if (id !== null) app.postMessage({ type: 'transfer.open', id } satisfies OpenTransfer)
  await app.focus()
}
