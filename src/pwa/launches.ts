import { payingPages } from './paymentLock.ts'

/** TypeScript has no types for the Launch Handler API. */
interface LaunchQueue {
  setConsumer(consumer: (launch: { readonly targetURL?: string | null }) => void): void
}

/** By the manifest, the browser only focuses this window: a navigation could interrupt a payment. */
export function handleLaunches() {
  let isOpening = true
  const { launchQueue } = globalThis as { launchQueue?: LaunchQueue }
  launchQueue?.setConsumer(({ targetURL }) => {
    // The queue first delivers the launch that opened this window.
    if (isOpening || !targetURL || payingPages.size > 0) return
    const { pathname, search } = new URL(targetURL)
    if (pathname + search !== '/') location.assign(targetURL)
  })
  isOpening = false
}
