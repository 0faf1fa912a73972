/// <reference lib="webworker" />
import { clientsClaim, setCacheNameDetails } from 'workbox-core'
import { addPlugins, createHandlerBoundToURL, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { APP_ADDRESS_PATTERN, isCacheable } from './precaching.ts'
import './pushWorker.ts'

// The service worker caches the whole app and nothing else: it never stores responses of services. A new
// version waits once it is complete, and takes over when the app tells it to or when no tab is open.

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
self.addEventListener('message', ({ data }) => {
  if (data?.type === 'SKIP_WAITING') self.skipWaiting()
})
// From the first visit on, the worker serves the page too.
clientsClaim()
