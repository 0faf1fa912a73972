import { Trans } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useEffect } from 'react'
import { PhoneCodeForm } from '../../ui/phoneCode/PhoneCodeForm.tsx'
import { usePhoneCode } from '../../ui/phoneCode/usePhoneCode.ts'
import type { AuthMode, AuthStart } from './authStart.ts'
import { TurnButton } from './TurnButton.tsx'

// Another address leads to another card.
const thisCard = () => location.search

/** The way in by phone. Specification, sections 2 and 4. */
export function PhoneForm({
  mode,
  forced,
  number,
  onMode,
  onEmail,
}: {
  mode: AuthMode
  forced: AuthStart['forced']
  /** What was typed in the place of an address, each time anew. */
  number: { readonly typed: string } | null
  onMode: (mode: AuthMode) => void
  /** Leads to the form of the way in by e-mail. */
  onEmail: () => void
}) {
  const actor = usePhoneCode(
    { purpose: mode, ...(forced === 'number' && { notice: 'accountNotFound' as const }) },
    thisCard,
  )
  const purpose = useSelector(actor, ({ context }) => context.purpose)
  const isSent = useSelector(actor, ({ context }) => context.sent !== null)
  const isBusy = useSelector(actor, (snapshot) => snapshot.hasTag('busy'))

  useEffect(() => {
    if (!number) return
    actor.send({ type: 'details.change', patch: { phone: number.typed } })
    document.querySelector<HTMLElement>('[role=tabpanel] :is([name=phone], [name=code])')?.focus()
  }, [actor, number])

  // The card is turned by the form of the other tab, or by the answer about the account.
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
      {!isSent && (
        <TurnButton
          mode={mode}
          isBusy={isBusy}
          onTurn={() => onMode(mode === 'signIn' ? 'signUp' : 'signIn')}
        />
      )}
    </>
  )
}
