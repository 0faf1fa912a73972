import { openChannel } from '../browser/openChannel.ts'
import { PAYMENT_LOCK } from './paymentLock.ts'

/**
 * Without locks a payment may always be open in another tab, so the browser itself takes over a new version,
 * once all tabs are closed.
 */
export function watchPayments(tell: (isUnderWay: boolean) => void): () => void {
  const stopped = new AbortController()
  const { signal } = stopped
  const channel = openChannel(PAYMENT_LOCK)
  const watch = async () => {
    tell(true)
    // More shared locks may have been requested during the wait.
    while (await isPaymentUnderWay()) await navigator.locks.request(PAYMENT_LOCK, { signal }, () => undefined)
    if (!signal.aborted) tell(false)
  }
  const begin = () => watch().catch(() => undefined)
  channel?.addEventListener('message', begin)
  begin()
  return () => {
    channel?.close()
    stopped.abort()
  }
}

/** Resolves with null and does nothing while a payment is open in any tab. */
export function runBetweenPayments<T>(work: () => Promise<T>): Promise<T | null> {
  return navigator.locks.request(PAYMENT_LOCK, { ifAvailable: true }, (lock) => (lock ? work() : null))
}

async function isPaymentUnderWay() {
  const { held = [], pending = [] } = await navigator.locks.query()
  return [...held, ...pending].some(({ name, mode }) => name === PAYMENT_LOCK && mode === 'shared')
}
