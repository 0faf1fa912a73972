// Payments that are under way on this device. An update of the app waits for them, in whichever tab they are.
/** The name of the lock, and of the channel on which its beginning is told. */
export const PAYMENT = 'passerelle.payment'

let held = 0

/** Whether a payment is under way in this tab. */
export const isPaymentHeld = () => held > 0

/**
 * Says that a payment is under way in this tab, until the function that it returns is called, or the tab is gone.
 * What it holds is a lock that any number of payments share.
 */
export function holdPayment(): () => void {
  held += 1
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  navigator.locks?.request(PAYMENT, { mode: 'shared' }, () => {
    const channel = new BroadcastChannel(PAYMENT)
    channel.postMessage('begun')
    channel.close()
    return over
  })
  return () => {
    held -= 1
    end()
  }
}
