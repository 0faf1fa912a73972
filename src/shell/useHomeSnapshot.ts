import { useCallback, useEffect, useRef } from 'react'
import { revealApp } from '../browser/snapshotReplacement.ts'
import { deviceStore } from '../browser/storage.ts'
import { saveHomeSnapshot } from '../cache/homeSnapshot.ts'
import { hasSignedOut } from '../cache/signedOutUsers.ts'

/** In milliseconds. */
const SETTLED = 1000

/** The returned function reports that the rows are on screen. */
export function useHomeSnapshot(uid: string): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const take = useCallback(() => {
    if (!hasSignedOut(uid)) saveHomeSnapshot(uid)
  }, [uid])
  useEffect(() => {
    const takeIfHidden = () => document.visibilityState === 'hidden' && take()
    document.addEventListener('visibilitychange', takeIfHidden)
    return () => {
      document.removeEventListener('visibilitychange', takeIfHidden)
      clearTimeout(timer.current)
    }
  }, [take])
  return useCallback(() => {
    revealApp()
    // The earlier snapshot lacks the new rows.
    deviceStore.set('home', null)
    clearTimeout(timer.current)
    timer.current = setTimeout(take, SETTLED)
  }, [take])
}
