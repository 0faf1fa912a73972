import { useLingui } from '@lingui/react/macro'
import { type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { failureOf, ServiceError } from '../../browser/failure.ts'
import type { SignInMethod } from '../../services/accountChanges.ts'
import { googleProofPage } from '../../services/googleReturn.ts'
import { lazyComponent } from '../lazyComponent.ts'
import { toast } from '../toast.ts'
import { useIsHere } from '../useIsHere.ts'

const ProofSheet = lazyComponent(async () => (await import('./ProofSheet.tsx')).ProofSheet)

/** Does the work. When the sign-in is too old for it, the person proves who they are, and the work is done once more. */
export type Proven = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Fails like the work when the person closes the sheet. When the app's own window is left for the proof, the work is gone with its
 * page: the sheet then takes the proof, and the person asks for the work again. `methods`: null until it is known how the person signs in;
 * the sheet waits for that. Specification, section 8: `reauthRequired`.
 */
export function useProof(
  methods: readonly SignInMethod[] | null,
  phone: string | null,
): { proven: Proven; proof: ReactNode } {
  const { t } = useLingui()
  const [isAsked, setAsked] = useState(() => googleProofPage() !== null)
  const answer = useRef<(isProven: boolean) => void>(undefined)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const isHere = useIsHere()
  // The sheet goes with its page. What waits for the proof is not done then, and says so.
  useEffect(() => () => answer.current?.(false), [])

  const proven = useCallback<Proven>(
    (work) => {
      const prove = async () => {
        try {
          return await work()
        } catch (error) {
          const failure = failureOf(error)
          if (failure.kind !== 'auth' || failure.code !== 'requires-recent-login') throw error
          // Nobody could give it any more.
          if (!isHere()) throw error
          setAsked(true)
          const isProven = await new Promise<boolean>((resolve) => {
            answer.current = resolve
          })
          setAsked(false)
          if (!isProven) throw new ServiceError(failure)
          return work()
        }
      }
      // One after the other: one sheet asks for one proof, and a change that ends older tokens does not meet another that makes one.
      const done = last.current.then(prove)
      last.current = done.catch(() => undefined)
      return done
    },
    [isHere],
  )

  const settle = (isProven: boolean) => {
    if (answer.current) return answer.current(isProven)
    setAsked(false)
    if (isProven) toast('success', t`C’est confirmé. Vous pouvez refaire votre demande.`)
  }

  const proof = isAsked && methods && (
    <Suspense>
      <ProofSheet
        methods={methods}
        phone={phone}
        onProven={() => settle(true)}
        onClose={() => settle(false)}
      />
    </Suspense>
  )
  return { proven, proof }
}
