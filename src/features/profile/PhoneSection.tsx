import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { TextInput } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { useCallback, useEffect, useState } from 'react'
import { checkPhone, groupPhone, type PhoneProblem, readPhone, writtenOut } from '../../../domain/phone.ts'
import { Section } from '../../ui/account/Section.tsx'
import type { Proven } from '../../ui/account/useProof.tsx'
import { phoneText } from '../../ui/fieldText.ts'
import { PhoneCodeForm } from '../../ui/phoneCode/PhoneCodeForm.tsx'
import { isCodeKept, usePhoneCode } from '../../ui/phoneCode/usePhoneCode.ts'
import { Sheet } from '../../ui/Sheet.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/useForm.ts'
import { useSubmit } from '../../ui/useSubmit.ts'
import classes from './ProfilePage.module.css'

const CHANGE_BUTTON = 'change-number'

const SAVED = msg`Votre numéro est enregistré.`

/** A number that somebody signs in with is proved by a code before it counts. Specification, sections 4 and 5. */
export function PhoneSection({
  phone,
  isForSignIn,
  proven,
}: {
  phone: string | null
  isForSignIn: boolean
  proven: Proven
}) {
  return isForSignIn && phone ? (
    <SignInPhone phone={phone} proven={proven} />
  ) : (
    <ContactPhone phone={phone ?? ''} />
  )
}

function ContactPhone({ phone }: { phone: string }) {
  const { t } = useLingui()
  const { form, values, change, fill, report, findProblem } = useForm<
    { phone: string },
    PhoneProblem & { readonly field: 'phone' }
  >({ phone })
  const checked = checkPhone(readPhone(values.phone))
  const wrong = findProblem('phone')
  const { isBusy, problem, submit } = useSubmit(async () => {
    const { changeContactPhone } = await import('../../services/accountChanges.ts')
    await changeContactPhone(checked.ok ? checked.value : null)
    toast('success', i18n._(SAVED))
  })
  return (
    <Section
      title={<Trans>Votre téléphone</Trans>}
      submitLabel={<Trans>Enregistrer le numéro</Trans>}
      isBusy={isBusy}
      problem={problem}
      form={form}
      onSubmit={() => report(checked.ok ? [] : [{ field: 'phone', ...checked.error }]) && submit()}
    >
      <TextInput
        name="phone"
        type="tel"
        label={t`Numéro de téléphone`}
        description={t`Avec l’indicatif du pays : +33 6 12 34 56 78`}
        inputMode="tel"
        autoComplete="tel"
        value={values.phone}
        onChange={(event) => change({ phone: event.currentTarget.value })}
        onBlur={() => fill({ phone: writtenOut(values.phone) })}
        error={wrong && phoneText(wrong, i18n)}
        maxLength={60}
      />
    </Section>
  )
}

function SignInPhone({ phone, proven }: { phone: string; proven: Proven }) {
  const [isChanging, setChanging] = useState(() => isCodeKept(phone))
  const { isBusy, problem, submit } = useSubmit(async () => {
    const { ensureRecentSignIn } = await import('../../services/accountChanges.ts')
    await proven(ensureRecentSignIn)
    setChanging(true)
  })
  return (
    <Section
      title={<Trans>Votre téléphone</Trans>}
      submitLabel={<Trans>Changer de numéro</Trans>}
      submitId={CHANGE_BUTTON}
      isBusy={isBusy}
      problem={problem}
      onSubmit={submit}
    >
      <p>
        <Trans>
          Vous vous connectez avec le <strong className={classes.number}>{groupPhone(phone)}</strong>.
        </Trans>
      </p>
      {isChanging && <ChangeNumberSheet phone={phone} onClose={() => setChanging(false)} />}
    </Section>
  )
}

/** `phone`: the number that is to go. */
function ChangeNumberSheet({ phone, onClose }: { phone: string; onClose: () => void }) {
  const thisChange = useCallback(() => phone, [phone])
  const actor = usePhoneCode({ purpose: 'changeNumber' }, thisChange)
  const isDone = useSelector(actor, (snapshot) => snapshot.status === 'done')
  // The number changes with it, so its answer is waited for.
  const isVerifying = useSelector(actor, (snapshot) => snapshot.matches('verifying'))
  useEffect(() => {
    if (!isDone) return
    toast('success', i18n._(SAVED))
    onClose()
  }, [isDone, onClose])
  return (
    <Sheet
      title={<Trans>Changer de numéro</Trans>}
      onClose={onClose}
      isClosable={!isVerifying}
      returnTo={`#${CHANGE_BUTTON}`}
    >
      <PhoneCodeForm actor={actor} confirmLabel={<Trans>Confirmer</Trans>} />
    </Sheet>
  )
}
