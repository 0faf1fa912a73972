import { openChannel } from '../browser/openChannel.ts'

// An update of the app waits for open payments, in every tab.
export const PAYMENT_LOCK = 'passerelle.payment'

/** In this tab. */
export const payingPages = new Set<string | null>()

/** The lock is released by the returned function or when the tab is closed. */
export function holdPaymentLock(page: 'send' | 'invoices'): () => void {
  payingPages.add(page)
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
  // Without locks, a browser knows only this tab's payment.
  navigator.locks?.request(PAYMENT_LOCK, { mode: 'shared' }, hold).catch(() => undefined)
  return () => {
    payingPages.delete(page)
    end()
  }
}
