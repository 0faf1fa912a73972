import { openChannel } from '../browser/openChannel.ts'

// Open payments on this device. An update of the app waits for them, in every tab.
/** The name of the lock, and of the channel that announces it. */
export const PAYMENT_LOCK = 'passerelle.payment'

let held = 0

/** Whether a payment is open in this tab. */
export const isPaymentLockHeld = () => held > 0

/**
 * Holds a shared lock for an open payment of this tab, until the returned function is called or the tab is
 * closed.
 */
export function holdPaymentLock(): () => void {
  held += 1
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  const hold = () => {
    const channel = openChannel(PAYMENT_LOCK)
    channel?.postMessage('begun')
    channel?.close()
    return over
  }
  // Nothing waits for this lock, and a browser without locks knows only this tab's payment.
  navigator.locks?.request(PAYMENT_LOCK, { mode: 'shared' }, hold).catch(() => undefined)
  return () => {
    held -= 1
    end()
  }
}
