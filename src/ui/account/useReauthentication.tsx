import { useLingui } from '@lingui/react/macro'
import { type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { ServiceError, toFailure } from '../../browser/failure.ts'
import type { SignInMethod } from '../../services/accountChanges.ts'
import { getGoogleReauthenticationPage } from '../../services/googleReturn.ts'
import { createLazyComponent } from '../lazyComponent.ts'
import { showToast } from '../toast.ts'
import { useIsMounted } from '../useIsMounted.ts'

const ReauthenticationSheet = createLazyComponent(
  async () => (await import('./ReauthenticationSheet.tsx')).ReauthenticationSheet,
)

/** If the sign-in is too old, the user re-authenticates and the work runs again. */
export type RunWithReauthentication = <T>(work: () => Promise<T>) => Promise<T>

/**
 * If the user closes the sheet, the work fails with its own failure. If the app's own window leaves to
 * re-authenticate, the work is lost and the user repeats it. `methods`: null until known. Specification,
 * section 8: `reauthRequired`.
 */
export function useReauthentication(
  methods: readonly SignInMethod[] | null,
  phone: string | null,
): { proven: RunWithReauthentication; proof: ReactNode } {
  const { t } = useLingui()
  const [isAsked, setAsked] = useState(() => getGoogleReauthenticationPage() !== null)
  const answer = useRef<(isProven: boolean) => void>(undefined)
  const isHere = useIsMounted()
  // The waiting work fails when its page closes.
  useEffect(() => () => answer.current?.(false), [])

  const proven = useCallback<RunWithReauthentication>(
    async (work) => {
      try {
        return await work()
      } catch (error) {
        const failure = toFailure(error)
        if (failure.kind !== 'auth' || failure.code !== 'requires-recent-login') throw error
        if (!isHere()) throw error
        setAsked(true)
        const isProven = await new Promise<boolean>((resolve) => {
          answer.current = resolve
        })
        setAsked(false)
        if (!isProven) throw new ServiceError(failure)
        return work()
      }
    },
    [isHere],
  )

  const settle = (isProven: boolean) => {
    if (answer.current) return answer.current(isProven)
    setAsked(false)
    if (isProven) showToast('success', t`C’est confirmé. Vous pouvez réessayer.`)
  }

  const proof = isAsked && methods && (
    <Suspense>
      <ReauthenticationSheet
        methods={methods}
        phone={phone}
        onProven={() => settle(true)}
        onClose={() => settle(false)}
      />
    </Suspense>
  )
  return { proven, proof }
}
