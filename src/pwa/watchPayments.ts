import { PAYMENT } from './payments.ts'

/** Tells whether a payment is under way in any tab, and each change, until the function that it returns is called. */
export function watchPayments(tell: (isUnderWay: boolean) => void): () => void {
  const stopped = new AbortController()
  const { signal } = stopped
  const channel = new BroadcastChannel(PAYMENT)
  const watch = async () => {
    tell(true)
    // The tab that gets the lock alone has waited for all that share it. Others may have asked for it meanwhile.
    while (await isPaymentUnderWay()) await navigator.locks.request(PAYMENT, { signal }, () => undefined)
    if (!signal.aborted) tell(false)
  }
  const begin = () => watch().catch(() => undefined)
  channel.addEventListener('message', begin)
  begin()
  return () => {
    channel.close()
    stopped.abort()
  }
}

/** Does the work while no payment is under way in any tab; resolves with null, the work undone, when there is one. */
export function betweenPayments<T>(work: () => Promise<T>): Promise<T | null> {
  return navigator.locks.request(PAYMENT, { ifAvailable: true }, (lock) => (lock ? work() : null))
}

async function isPaymentUnderWay() {
  const { held = [], pending = [] } = await navigator.locks.query()
  return [...held, ...pending].some(({ name, mode }) => name === PAYMENT && mode === 'shared')
}
