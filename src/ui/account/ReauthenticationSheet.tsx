import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { type FormEvent, useEffect, useState } from 'react'
import { groupPhone } from '../../../domain/numbers/phone.ts'
import { phoneOtpLogic } from '../../actors/phoneOtp.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'
import { reauthenticateWithPassword, type SignInMethod } from '../../services/accountChanges.ts'
import { GoogleSignIn } from '../google/GoogleSignIn.tsx'
import { Notice } from '../Notice.tsx'
import { PasswordField } from '../PasswordField.tsx'
import { PhoneCodeForm } from '../phoneCode/PhoneCodeForm.tsx'
import { Sheet } from '../Sheet.tsx'
import { useSubmit } from '../useSubmit.ts'
import classes from './SettingSection.module.css'

/** Specification, section 8. */
export function ReauthenticationSheet({
  methods,
  phone,
  onProven,
  onClose,
}: {
  methods: readonly SignInMethod[]
  phone: string | null
  onProven: () => void
  onClose: () => void
}) {
  return (
    <Sheet title={<Trans>Confirmez que c’est bien vous</Trans>} onClose={onClose}>
      <p>
        <Trans>Par sécurité, ce changement demande une connexion récente.</Trans>
      </p>
      {methods.includes('password') ? (
        <PasswordProof onProven={onProven} />
      ) : methods.includes('phone') && phone ? (
        <PhoneProof phone={phone} onProven={onProven} />
      ) : (
        <GoogleSignIn purpose="reauthenticate" onDone={onProven} />
      )}
    </Sheet>
  )
}

function PasswordProof({ onProven }: { onProven: () => void }) {
  const { t } = useLingui()
  const [password, setPassword] = useState('')
  const { isBusy, problem, submit } = useSubmit(async () => {
    await reauthenticateWithPassword(password)
    onProven()
  })
  const confirm = (event: FormEvent) => {
    event.preventDefault()
    // React would bubble this event to the form of the page behind.
    event.stopPropagation()
    if (password !== '') submit()
  }
  return (
    <form onSubmit={confirm} noValidate className={classes.form}>
      {problem && <Notice kind="error">{problem}</Notice>}
      <PasswordField
        name="currentPassword"
        label={t`Mot de passe actuel`}
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        data-autofocus
      />
      <Button type="submit" loading={isBusy} disabled={password === ''} fullWidth>
        <Trans>Confirmer</Trans>
      </Button>
    </form>
  )
}

function PhoneProof({ phone, onProven }: { phone: string; onProven: () => void }) {
  const actor = useActorRef(phoneOtpLogic, { input: { purpose: 'reauthenticate', phone } })
  const isDone = useSelector(actor, (snapshot) => snapshot.status === 'done')
  useEffect(() => {
    if (isDone) onProven()
  }, [isDone, onProven])
  return (
    <>
      <p>
        <strong>{groupPhone(phone)}</strong>
      </p>
      <PhoneCodeForm actor={actor} confirmLabel={<Trans>Confirmer</Trans>} />
    </>
  )
}
