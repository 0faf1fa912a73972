import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { useState } from 'react'
import type { Failure } from '../../domain/failure.ts'
import { failureOf } from '../browser/failure.ts'
import { failureText, UNKNOWN } from './failureText.ts'
import { toast } from './toast.ts'
import { useFocusBack } from './useFocusBack.ts'
import { useIsHere } from './useIsHere.ts'

/** One call of a form: whether it is under way, and in words what came of it; a short message says so once the form was left. */
export function useSubmit(
  work: () => Promise<void>,
  /** How a failure is told, or the text for codes without words. */
  told: MessageDescriptor | ((failure: Failure) => MessageDescriptor) = UNKNOWN.saveProfile,
  /** Hears when the call begins and ends: a sheet that stands around the form can't be left meanwhile. */
  onBusy?: (isBusy: boolean) => void,
) {
  const { i18n } = useLingui()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const noteFocus = useFocusBack(isBusy)
  const isHere = useIsHere()
  const textOf = (failure: Failure) =>
    typeof told === 'function' ? told(failure) : failureText(failure, told)
  const submit = async () => {
    if (isBusy) return
    noteFocus()
    setBusy(true)
    onBusy?.(true)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      const failed = failureOf(error)
      if (isHere()) setFailure(failed)
      else toast('error', i18n._(textOf(failed)))
    } finally {
      setBusy(false)
      onBusy?.(false)
    }
  }
  return { isBusy, problem: failure && i18n._(textOf(failure)), submit }
}
