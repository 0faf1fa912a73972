import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { TextInput } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { useCallback, useEffect, useState } from 'react'
import { checkPhone, groupPhone, type PhoneProblem, parsePhone } from '../../../domain/numbers/phone.ts'
import { SettingSheet } from '../../ui/account/SettingSheet.tsx'
import type { RunWithReauthentication } from '../../ui/account/useReauthentication.tsx'
import { PhoneChoices } from '../../ui/contacts/PhoneChoices.tsx'
import { useAskedPhone } from '../../ui/contacts/useAskedPhone.ts'
import { getPhoneProblemText } from '../../ui/fieldText.ts'
import numbers from '../../ui/PhoneNumber.module.css'
import { PhoneCodeForm } from '../../ui/phoneCode/PhoneCodeForm.tsx'
import { hasSentCode, usePhoneCode } from '../../ui/phoneCode/usePhoneCode.ts'
import { Sheet } from '../../ui/Sheet.tsx'
import { showToast } from '../../ui/toast.ts'
import { useForm } from '../../ui/useForm.ts'
import { useSubmit } from '../../ui/useSubmit.ts'

const SAVED = msg`Votre numéro est enregistré.`

/** A number for signing in takes effect once a code has confirmed it. Specification, sections 4 and 5. */
export function PhoneSheet({
  phone,
  isForSignIn,
  proven,
  isHidden,
  onClose,
}: {
  phone: string | null
  isForSignIn: boolean
  proven: RunWithReauthentication
  /** Another sheet asks the user to re-authenticate. */
  isHidden: boolean
  onClose: () => void
}) {
  return isForSignIn && phone ? (
    <SignInPhone phone={phone} proven={proven} isHidden={isHidden} onClose={onClose} />
  ) : (
    <ContactPhone phone={phone ?? ''} onClose={onClose} />
  )
}

function ContactPhone({ phone, onClose }: { phone: string; onClose: () => void }) {
  const { t } = useLingui()
  const { form, values, change, fill, report, bind } = useForm<
    { phone: string },
    PhoneProblem & { readonly field: 'phone' }
  >({ phone }, (problem) => getPhoneProblemText(problem, i18n))
  const { meant, leave } = useAskedPhone(values.phone)
  const checked = checkPhone(parsePhone(values.phone))
  const { isBusy, problem, submit } = useSubmit(async () => {
    const { changeContactPhone } = await import('../../services/accountChanges.ts')
    await changeContactPhone(checked.ok ? checked.value : null)
    showToast('success', i18n._(SAVED))
    onClose()
  })
  return (
    <SettingSheet
      title={<Trans>Téléphone</Trans>}
      submitLabel={<Trans>Enregistrer le numéro</Trans>}
      isBusy={isBusy}
      problem={problem}
      form={form}
      onSubmit={() => report(checked.ok ? [] : [{ field: 'phone', ...checked.error }]) && submit()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        {...bind('phone')}
        type="tel"
        label={t`Numéro de téléphone`}
        description={t`Avec l’indicatif du pays : +33 6 12 34 56 78`}
        inputMode="tel"
        autoComplete="tel"
        onBlur={() => fill({ phone: leave() })}
        maxLength={60}
      />
      <PhoneChoices phones={meant} onChoose={(phone) => change({ phone })} />
    </SettingSheet>
  )
}

function SignInPhone({
  phone,
  proven,
  isHidden,
  onClose,
}: {
  phone: string
  proven: RunWithReauthentication
  isHidden: boolean
  onClose: () => void
}) {
  const [isChanging, setChanging] = useState(() => hasSentCode(phone))
  const { isBusy, problem, submit } = useSubmit(async () => {
    const { ensureRecentSignIn } = await import('../../services/accountChanges.ts')
    await proven(ensureRecentSignIn)
    setChanging(true)
  })
  if (isHidden) return null
  if (isChanging) return <ChangeNumberSheet phone={phone} onClose={onClose} />
  return (
    <SettingSheet
      title={<Trans>Téléphone</Trans>}
      submitLabel={<Trans>Changer de numéro</Trans>}
      isBusy={isBusy}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        <Trans>
          Vous vous connectez avec le <strong className={numbers.phone}>{groupPhone(phone)}</strong>.
        </Trans>
      </p>
    </SettingSheet>
  )
}

/** `phone`: the number to replace. */
function ChangeNumberSheet({ phone, onClose }: { phone: string; onClose: () => void }) {
  const thisChange = useCallback(() => phone, [phone])
  const actor = usePhoneCode({ purpose: 'changeNumber' }, thisChange)
  const isDone = useSelector(actor, (snapshot) => snapshot.status === 'done')
  // A correct code changes the number before the response.
  const isVerifying = useSelector(actor, (snapshot) => snapshot.matches('verifying'))
  useEffect(() => {
    if (!isDone) return
    showToast('success', i18n._(SAVED))
    onClose()
  }, [isDone, onClose])
  return (
    <Sheet title={<Trans>Changer de numéro</Trans>} onClose={onClose} isClosable={!isVerifying}>
      <PhoneCodeForm actor={actor} confirmLabel={<Trans>Confirmer</Trans>} />
    </Sheet>
  )
}
