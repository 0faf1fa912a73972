import { useEffect, useState } from 'react'
import { importWithRetry, sayWhenLate } from '../../browser/importWithRetry.ts'
import type { SignInMethod } from '../../services/accountChanges.ts'

const loadChanges = () => import('../../services/accountChanges.ts')

/**
 * How the person signs in; null until it is known. Whatever depends on it waits for that: of somebody of whom nothing is known yet nobody
 * can say that they sign in without a number, or prove themselves with Google.
 */
export function useSignInMethods(): readonly SignInMethod[] | null {
  const [methods, setMethods] = useState<readonly SignInMethod[] | null>(null)
  useEffect(() => {
    let isGone = false
    const hasCome = sayWhenLate()
    importWithRetry(loadChanges)
      .then(({ signInMethods }) => {
        hasCome()
        return signInMethods()
      })
      .then((found) => !isGone && setMethods(found))
      // Nobody is signed in any more, and the screen goes.
      .catch(() => undefined)
    return () => {
      isGone = true
      hasCome()
    }
  }, [])
  return methods
}
