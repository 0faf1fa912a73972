import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { useState } from 'react'
import type { Failure } from '../../domain/failure.ts'
import { failureOf } from '../../services/failure.ts'
import { failureText, UNKNOWN } from '../../ui/failureText.ts'

/** One call of a form: whether it is under way, and in words what came of it. `unknown`: for codes without words. */
export function useSubmit(work: () => Promise<void>, unknown: MessageDescriptor = UNKNOWN.saveProfile) {
  const { i18n } = useLingui()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const submit = async () => {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, problem: failure && i18n._(failureText(failure, unknown)), submit }
}
