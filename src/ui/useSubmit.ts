import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { useState } from 'react'
import type { Failure } from '../../domain/errors/failure.ts'
import { toFailure } from '../browser/failure.ts'
import { getFailureText, UNKNOWN_CODE_TEXTS } from './failureText.ts'
import { showToast } from './toast.ts'
import { useIsMounted } from './useIsMounted.ts'
import { useRestoreFocus } from './useRestoreFocus.ts'

/** A toast reports the failure if the form was left. */
export function useSubmit(
  work: () => Promise<void>,
  /** A message is the text for unknown codes. */
  toText: MessageDescriptor | ((failure: Failure) => MessageDescriptor) = UNKNOWN_CODE_TEXTS.saveProfile,
  /** A sheet around the form can't be dismissed during the call. */
  onBusy?: (isBusy: boolean) => void,
) {
  const { i18n } = useLingui()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const noteFocus = useRestoreFocus(isBusy)
  const isHere = useIsMounted()
  const getText = (failure: Failure) =>
    typeof toText === 'function' ? toText(failure) : getFailureText(failure, toText)
  const submit = async () => {
    if (isBusy) return
    noteFocus()
    setBusy(true)
    onBusy?.(true)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      const newFailure = toFailure(error)
      if (isHere()) setFailure(newFailure)
      else showToast('error', i18n._(getText(newFailure)))
    } finally {
      setBusy(false)
      onBusy?.(false)
    }
  }
  return { isBusy, problem: failure && i18n._(getText(failure)), submit }
}
