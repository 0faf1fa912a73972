import { useSyncExternalStore } from 'react'
import type { Store } from '../browser/createStore.ts'

export const useStore = <T>({ subscribe, get, getInitial }: Store<T>): T =>
  useSyncExternalStore(subscribe, get, getInitial)
