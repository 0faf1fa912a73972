import { useEffect, useState } from 'react'
import type { SignInMethod } from '../../services/accountChanges.ts'

/** How the person signs in; null until it is known. */
export function useSignInMethods(): readonly SignInMethod[] | null {
  const [methods, setMethods] = useState<readonly SignInMethod[] | null>(null)
  useEffect(() => {
    let isGone = false
    import('../../services/accountChanges.ts')
      .then(({ signInMethods }) => signInMethods())
      .then((found) => !isGone && setMethods(found))
      .catch(() => undefined)
    return () => {
      isGone = true
    }
  }, [])
  return methods
}
