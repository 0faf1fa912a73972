import { useLingui } from '@lingui/react/macro'
import { type ReactNode, Suspense, useCallback, useRef, useState } from 'react'
import { failureOf, ServiceError } from '../../browser/failure.ts'
import type { SignInMethod } from '../../services/accountChanges.ts'
import { googleProofPage } from '../../services/googleReturn.ts'
import { lazyComponent } from '../lazyComponent.ts'
import { toast } from '../toast.ts'

const ProofSheet = lazyComponent(async () => (await import('./ProofSheet.tsx')).ProofSheet)

/** Does the work. When the sign-in is too old for it, the person proves who they are, and the work is done once more. */
export type Proven = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Fails like the work when the person closes the sheet. When the app's own window is left for the proof, the work is gone with its
 * page: the sheet then takes the proof, and the person asks for the work again. Specification, section 8: `reauthRequired`.
 */
export function useProof(
  methods: readonly SignInMethod[],
  phone: string | null,
): { proven: Proven; proof: ReactNode } {
  const { t } = useLingui()
  const [isAsked, setAsked] = useState(() => googleProofPage() !== null)
  const answer = useRef<(isProven: boolean) => void>(undefined)

  const proven = useCallback<Proven>(async (work) => {
    try {
      return await work()
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind !== 'auth' || failure.code !== 'requires-recent-login') throw error
      setAsked(true)
      const isProven = await new Promise<boolean>((resolve) => {
        answer.current = resolve
      })
      setAsked(false)
      if (!isProven) throw new ServiceError(failure)
      return work()
    }
  }, [])

  const settle = (isProven: boolean) => {
    if (answer.current) return answer.current(isProven)
    setAsked(false)
    if (isProven) toast('success', t`C’est confirmé. Vous pouvez refaire votre demande.`)
  }

  const proof = isAsked && (
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
