import { useSyncExternalStore } from 'react'
import type { Store } from '../browser/createStore.ts'

/** Returns the current value of a store. The component renders again when it changes. */
export const useStore = <T>({ subscribe, get, getInitial }: Store<T>): T =>
  useSyncExternalStore(subscribe, get, getInitial)
