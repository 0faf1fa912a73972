import { useEffect, useState } from 'react'
import { importWithRetry, reportLateCode } from '../../browser/importWithRetry.ts'
import type { SignInMethod } from '../../services/accountChanges.ts'

const loadChanges = () => import('../../services/accountChanges.ts')

/** Null until the methods are known. They decide how the user changes the number and re-authenticates. */
export function useSignInMethods(): readonly SignInMethod[] | null {
  const [methods, setMethods] = useState<readonly SignInMethod[] | null>(null)
  useEffect(() => {
    let isGone = false
    const hasCome = reportLateCode()
    importWithRetry(loadChanges)
      .then(({ listSignInMethods }) => {
        hasCome()
        return listSignInMethods()
      })
      .then((found) => !isGone && setMethods(found))
      // The user has signed out, and the screen closes.
      .catch(() => undefined)
    return () => {
      isGone = true
      hasCome()
    }
  }, [])
  return methods
}
