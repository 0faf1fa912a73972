import { useEffect } from 'react'
import { checkNetwork, loginPageStore, onlineStore } from '../browser/network.ts'
import { runAfterPress } from '../browser/press.ts'
import { useStore } from './useStore.ts'

/** In milliseconds. */
const CHECK_AGAIN_AFTER = 2000

/** The store is only a hint: a request may fail or succeed regardless. */
export const useOnline = () => useStore(onlineStore)

export function useNetworkEvents(send: (event: { type: 'network.restored' | 'network.lost' }) => void) {
  useEffect(() => {
    const tell = () => send({ type: onlineStore.get() ? 'network.restored' : 'network.lost' })
    tell()
    return onlineStore.subscribe(tell)
  }, [send])
}

// The prerendered page has no window.
if (typeof window !== 'undefined') {
  onlineStore.set(navigator.onLine)
  const check = () => void checkNetwork()
  if (!navigator.onLine) check()
  // The banner shifts the layout.
  for (const change of ['online', 'offline'])
    addEventListener(change, () => {
      runAfterPress(check)
      // A request may still succeed right before the network is lost.
      setTimeout(() => runAfterPress(check), CHECK_AGAIN_AFTER)
    })
  const checkAgain = () => {
    if (!onlineStore.get() && document.visibilityState !== 'hidden') check()
  }
  // No event says that the user has signed in to the network.
  let timer: ReturnType<typeof setTimeout> | undefined
  loginPageStore.subscribe(() => {
    clearTimeout(timer)
    if (loginPageStore.get()) timer = setTimeout(checkAgain, CHECK_AGAIN_AFTER)
  })
  addEventListener('focus', checkAgain)
  document.addEventListener('visibilitychange', checkAgain)
}
