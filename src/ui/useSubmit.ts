import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { useState } from 'react'
import type { Failure } from '../../domain/failure.ts'
import { failureOf } from '../browser/failure.ts'
import { failureText, UNKNOWN } from './failureText.ts'

/** One call of a form: whether it is under way, and in words what came of it. */
export function useSubmit(
  work: () => Promise<void>,
  /** How a failure is told, or the text for codes without words. */
  told: MessageDescriptor | ((failure: Failure) => MessageDescriptor) = UNKNOWN.saveProfile,
) {
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
  const text = failure && (typeof told === 'function' ? told(failure) : failureText(failure, told))
  return { isBusy, problem: text && i18n._(text), submit }
}
