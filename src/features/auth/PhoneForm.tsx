import { Trans } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useEffect } from 'react'
import { PhoneCodeForm } from '../../ui/phoneCode/PhoneCodeForm.tsx'
import { usePhoneCode } from '../../ui/phoneCode/usePhoneCode.ts'
import { ModeSwitchButton } from './ModeSwitchButton.tsx'
import type { AuthMode, InitialAuthState } from './readAuthStart.ts'

// The query string selects which sign-in card is shown.
const getFormKey = () => location.search

/** Specification, sections 2 and 4. */
export function PhoneForm({
  mode,
  forced,
  number,
  onMode,
  onEmail,
}: {
  mode: AuthMode
  forced: InitialAuthState['forced']
  /** A new object each time, so that the same number can be passed again. */
  number: { readonly typed: string } | null
  onMode: (mode: AuthMode) => void
  onEmail: () => void
}) {
  const actor = usePhoneCode(
    { purpose: mode, ...(forced === 'number' && { notice: 'accountNotFound' as const }) },
    getFormKey,
  )
  const purpose = useSelector(actor, ({ context }) => context.purpose)
  const isSent = useSelector(actor, ({ context }) => context.sent !== null)
  const isBusy = useSelector(actor, (snapshot) => snapshot.hasTag('busy'))

  useEffect(() => {
    if (!number) return
    actor.send({ type: 'details.change', patch: { phone: number.typed } })
    document.querySelector<HTMLElement>('[role=tabpanel] :is([name=phone], [name=code])')?.focus()
  }, [actor, number])

  useEffect(() => actor.send({ type: 'purpose.choose', purpose: mode }), [actor, mode])
  useEffect(() => {
    if (purpose === 'signIn' || purpose === 'signUp') onMode(purpose)
  }, [onMode, purpose])

  return (
    <>
      <PhoneCodeForm
        actor={actor}
        onOtherWay={onEmail}
        confirmLabel={purpose === 'signUp' ? <Trans>Créer mon compte</Trans> : <Trans>Se connecter</Trans>}
      />
      {!isSent && <ModeSwitchButton mode={mode} isBusy={isBusy} onTurn={onMode} />}
    </>
  )
}
