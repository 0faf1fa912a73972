import { useCallback, useEffect, useRef } from 'react'
import { takePlace } from '../browser/behindSnapshot.ts'
import { takeSnapshot } from '../browser/homeSnapshot.ts'
import { deviceStore } from '../browser/storage.ts'
import { hasLeft } from '../cache/signedOutUsers.ts'

/** How long a screen takes to have everything in its place, in milliseconds. */
const SETTLED = 1000

/** Keeps a picture of the home screen for the next start. Answers what to call when its rows are on screen. */
export function useHomeSnapshot(uid: string): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const take = useCallback(() => {
    if (!hasLeft(uid)) takeSnapshot(uid)
  }, [uid])
  useEffect(() => {
    const leave = () => document.visibilityState === 'hidden' && take()
    document.addEventListener('visibilitychange', leave)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      clearTimeout(timer.current)
    }
  }, [take])
  return useCallback(() => {
    takePlace()
    // The earlier picture lacks what is new.
    deviceStore.set('home', null)
    // The screen's own work comes first.
    clearTimeout(timer.current)
    timer.current = setTimeout(take, SETTLED)
  }, [take])
}
