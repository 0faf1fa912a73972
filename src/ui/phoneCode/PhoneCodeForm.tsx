import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, TextInput } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { SmsRefusalScope } from '../../../domain/errors/failure.ts'
import { formatInternationalPhone, groupPhone } from '../../../domain/numbers/phone.ts'
import { NAME_MAX_LENGTH } from '../../../domain/people/name.ts'
import type {
  PhoneFormProblem,
  PhoneOtpNotice,
  PhoneOtpPurpose,
  phoneOtpMachine,
} from '../../../machines/phoneOtp.ts'
import { support } from '../../services/support.ts'
import { getFailureText, UNKNOWN_CODE_TEXTS } from '../failureText.ts'
import { getCodeProblemText, getPhoneProblemText, NAME_REQUIRED } from '../fieldText.ts'
import { Notice } from '../Notice.tsx'
import { SlowResponseNotice } from '../SlowResponseNotice.tsx'
import { focusField } from '../useForm.ts'
import { useRestoreFocus } from '../useRestoreFocus.ts'
import classes from './PhoneCodeForm.module.css'

const NOTICES: Record<PhoneOtpNotice, MessageDescriptor> = {
  accountNotFound: msg`Aucun compte trouvé pour ce numéro. Créez le vôtre ici.`,
  checkFailed: msg`Nous n’avons pas pu vérifier si ce numéro a un compte. Continuez ici : s’il en a un, il s’ouvrira.`,
}

const NO_MESSAGES: Record<SmsRefusalScope, MessageDescriptor> = {
  project: msg`Nous ne pouvons pas envoyer de SMS pour le moment. Le problème vient de nous, pas de votre numéro : en redemander n’y changera rien. Votre argent n’a pas bougé.`,
  country: msg`Nous ne pouvons pas envoyer de SMS vers ce pays pour le moment. Le problème vient de nous : en redemander n’y changera rien. Votre argent n’a pas bougé.`,
}

/** A sign-in doesn't suggest a sign-up, because the new account would be empty. */
const INSTEAD: Partial<Record<PhoneOtpPurpose, MessageDescriptor>> = {
  signIn: msg`Si votre compte a une adresse e-mail, connectez-vous avec elle. Sinon, écrivez-nous.`,
  signUp: msg`Vous pouvez créer votre compte par e-mail.`,
}

/** Specification, sections 4, 5 and 8. */
export function PhoneCodeForm({
  actor,
  confirmLabel,
  onOtherWay,
}: {
  actor: ActorRefFrom<typeof phoneOtpMachine>
  confirmLabel: ReactNode
  /** Absent where there is no sign-in by email. */
  onOtherWay?: () => void
}) {
  const { t, i18n } = useLingui()
  const state = useSelector(actor, (snapshot) => snapshot)
  const isBusy = state.hasTag('busy')
  const { purpose, name, phone, code, problems, problem, notice, sent, resendIn, smsRefusal } = state.context
  // A correct code changes the number.
  const isChanging = purpose === 'changeNumber' && state.matches('verifying')
  const form = useRef<HTMLFormElement>(null)
  const isSent = sent !== null
  const instead = isSent ? undefined : INSTEAD[purpose]

  const wasSent = useRef(sent)
  useEffect(() => {
    // The pressed button is unmounted, or disabled for a while.
    const isOther = sent !== wasSent.current
    const isTurn = !sent || !wasSent.current
    wasSent.current = sent
    // Do not steal the focus if the user has moved to another field.
    if (isOther && (isTurn || document.activeElement === document.body))
      focusField(form.current, sent ? 'code' : 'phone')
  }, [sent])
  // The effect above may already have moved the focus to a field.
  const noteFocus = useRestoreFocus(isBusy)

  const getText = (field: PhoneFormProblem['field']) => {
    const wrong = problems.find((one) => one.field === field)
    if (!wrong) return undefined
    switch (wrong.field) {
      case 'name':
        return i18n._(NAME_REQUIRED)
      case 'phone':
        return getPhoneProblemText(wrong, i18n)
      case 'code':
        return getCodeProblemText(wrong, i18n)
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React would bubble this event to the form of the page behind.
    event.stopPropagation()
    if (isBusy) return
    noteFocus()
    actor.send({ type: isSent ? 'code.submit' : 'code.request' })
    // The focus must not leave a field during typing.
    const [first] = actor.getSnapshot().context.problems
    if (first) focusField(form.current, first.field)
  }

  const change = (patch: { name?: string; phone?: string }) => actor.send({ type: 'details.change', patch })
  const changeNumber = purpose !== 'reauthenticate' && (
    <Button variant="subtle" disabled={isChanging} onClick={() => actor.send({ type: 'number.change' })}>
      <Trans>Changer de numéro</Trans>
    </Button>
  )

  return (
    <form ref={form} onSubmit={submit} noValidate className={classes.form}>
      {notice && !problem && (
        <Notice kind="info" isCalling>
          {i18n._(NOTICES[notice])}
        </Notice>
      )}
      {problem && (
        <Notice kind="error">
          {i18n._(
            getFailureText(problem, isSent ? UNKNOWN_CODE_TEXTS.confirmCode : UNKNOWN_CODE_TEXTS.sendCode),
          )}
        </Notice>
      )}
      {smsRefusal && (
        <Notice
          kind="error"
          isCalling
          action={
            <div className={classes.otherwise}>
              {onOtherWay && (
                <Button variant="light" onClick={onOtherWay}>
                  <Trans>Continuer par e-mail</Trans>
                </Button>
              )}
              <Button component="a" variant="subtle" href={`mailto:${support.email}`}>
                <Trans>Écrire à notre assistance</Trans>
              </Button>
            </div>
          }
        >
          {i18n._(NO_MESSAGES[smsRefusal])} {instead && i18n._(instead)}
        </Notice>
      )}
      {/* Without a sent code there is no field for its problem. */}
      {!isSent && getText('code') && <Notice kind="error">{getText('code')}</Notice>}
      {purpose === 'signUp' && (
        <TextInput
          name="name"
          label={t`Nom complet`}
          autoComplete="name"
          value={name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={getText('name')}
          maxLength={NAME_MAX_LENGTH}
        />
      )}
      {isSent ? (
        <>
          <p role="status">
            <Trans>
              Un code vient de partir par SMS au{' '}
              <strong className={classes.number}>{groupPhone(sent.phone)}</strong>.
            </Trans>
          </p>
          <TextInput
            name="code"
            label={t`Code reçu par SMS`}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => actor.send({ type: 'code.change', code: event.currentTarget.value })}
            error={getText('code')}
            // Users may paste the whole message.
            maxLength={400}
            classNames={{ input: classes.codeInput ?? '' }}
          />
        </>
      ) : (
        purpose !== 'reauthenticate' && (
          <TextInput
            name="phone"
            type="tel"
            label={t`Numéro de téléphone`}
            description={t`Avec l’indicatif du pays : +33 6 12 34 56 78`}
            inputMode="tel"
            autoComplete="tel"
            value={phone}
            onChange={(event) => change({ phone: event.currentTarget.value })}
            onBlur={() => {
              const text = formatInternationalPhone(phone)
              if (text !== phone) change({ phone: text })
            }}
            error={getText('phone')}
            maxLength={60}
          />
        )
      )}
      {(isSent || !smsRefusal) && (
        <Button type="submit" loading={isBusy} fullWidth>
          {isSent ? confirmLabel : <Trans>Recevoir un code par SMS</Trans>}
        </Button>
      )}
      <SlowResponseNotice isAwaited={isBusy}>{!isSent && changeNumber}</SlowResponseNotice>
      {isSent && (
        <div className={classes.otherwise}>
          {!smsRefusal && (
            <Button
              variant="subtle"
              disabled={isBusy || resendIn > 0}
              onClick={() => {
                noteFocus()
                actor.send({ type: 'code.resend' })
              }}
            >
              {resendIn > 0 ? <Trans>Renvoyer dans {resendIn} s</Trans> : <Trans>Renvoyer le code</Trans>}
            </Button>
          )}
          {changeNumber}
        </div>
      )}
    </form>
  )
}
