/// <reference lib="webworker" />
import { clientsClaim, setCacheNameDetails } from 'workbox-core'
import { addPlugins, createHandlerBoundToURL, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { fetchOrElse } from './fetchOrElse.ts'
import { APP_ADDRESS_PATTERN, isCacheable, RECIPIENT_ADDRESS_PATTERN } from './precaching.ts'
import './pushWorker.ts'

// The worker never stores responses of services. A new version takes over when the app tells it to or when no
// tab is open.

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: (PrecacheEntry | string)[] }

setCacheNameDetails({ prefix: 'passerelle' })
addPlugins([
  {
    cacheWillUpdate: async ({ request, response }) => (isCacheable(request.url, response) ? response : null),
  },
])
precacheAndRoute(self.__WB_MANIFEST)
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('index.html'), { allowlist: [APP_ADDRESS_PATTERN] }),
)
// Without a network, this app verifies the code in the address of a recipient's page.
const checkReceipt = createHandlerBoundToURL('check-receipt.html')
registerRoute(
  new NavigationRoute((options) => fetchOrElse(options.request, () => checkReceipt(options)), {
    allowlist: [RECIPIENT_ADDRESS_PATTERN],
  }),
)
self.addEventListener('message', ({ data }) => {
  if (data?.type === 'SKIP_WAITING') self.skipWaiting()
})
// The worker serves the page from the first visit on.
clientsClaim()
