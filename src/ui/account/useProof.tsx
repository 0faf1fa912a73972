import { type ReactNode, Suspense, useCallback, useRef, useState } from 'react'
import type { SignInMethod } from '../../services/accountChanges.ts'
import { failureOf, ServiceError } from '../../services/failure.ts'
import { later } from '../later.ts'

const ProofSheet = later(async () => (await import('./ProofSheet.tsx')).ProofSheet)

/** Does the work; where the sign-in is too old for it, once more after the person proved who they are. */
export type Proven = <T>(work: () => Promise<T>) => Promise<T>

/** Fails like the work when the person closes the sheet. Specification, section 8: `reauthRequired`. */
export function useProof(
  methods: readonly SignInMethod[],
  phone: string | null,
): { proven: Proven; proof: ReactNode } {
  const [isAsked, setAsked] = useState(false)
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

  const proof = isAsked && (
    <Suspense>
      <ProofSheet
        methods={methods}
        phone={phone}
        onProven={() => answer.current?.(true)}
        onClose={() => answer.current?.(false)}
      />
    </Suspense>
  )
  return { proven, proof }
}
