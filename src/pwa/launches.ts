import { isPaymentLockHeld } from './paymentLock.ts'

/** The part of the Launch Handler API that the app uses; TypeScript has no types for it. */
interface LaunchQueue {
  setConsumer(consumer: (launch: { readonly targetURL?: string | null }) => void): void
}

/**
 * Opens what a later launch of the installed app asks for, such as a shortcut's screen or a link in an
 * e-mail. By the manifest, the browser only focuses this window: a navigation could interrupt a payment.
 */
export function handleLaunches() {
  let isOpening = true
  const { launchQueue } = globalThis as { launchQueue?: LaunchQueue }
  launchQueue?.setConsumer(({ targetURL }) => {
    // The queue first delivers the launch that opened this window, or that preceded a reload.
    if (isOpening || !targetURL || isPaymentLockHeld()) return
    const { pathname, search } = new URL(targetURL)
    // A launch by the app's icon requests no page.
    if (pathname + search !== '/') location.assign(targetURL)
  })
  isOpening = false
}
