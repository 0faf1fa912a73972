import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, TextInput } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { NoMessages } from '../../../domain/failure.ts'
import { NAME_MAX_LENGTH } from '../../../domain/name.ts'
import { groupPhone, writtenOut } from '../../../domain/phone.ts'
import { formatWait } from '../../../domain/wait.ts'
import type {
  PhoneFormProblem,
  PhoneOtpNotice,
  Purpose,
  phoneOtpMachine,
} from '../../../machines/phoneOtp.ts'
import { support } from '../../services/support.ts'
import { failureText, UNKNOWN } from '../failureText.ts'
import { NAME_REQUIRED, phoneText } from '../fieldText.ts'
import { Notice } from '../Notice.tsx'
import { SlowAnswer } from '../SlowAnswer.tsx'
import { useFocusBack } from '../useFocusBack.ts'
import { focusField } from '../useForm.ts'
import { useLanguage } from '../useLanguage.ts'
import classes from './PhoneCodeForm.module.css'
import { receiveCode } from './receiveCode.ts'

const NOTICES: Record<PhoneOtpNotice, MessageDescriptor> = {
  accountNotFound: msg`Aucun compte trouvé pour ce numéro. Créez le vôtre ici.`,
  checkFailed: msg`Nous n’avons pas pu vérifier si ce numéro a un compte. Continuez ici : s’il en a un, il s’ouvrira.`,
}

const NO_MESSAGES: Record<NoMessages, MessageDescriptor> = {
  project: msg`Nous ne pouvons pas envoyer de SMS pour le moment. Le problème vient de nous, pas de votre numéro : en redemander n’y changera rien. Votre argent n’a pas bougé.`,
  country: msg`Nous ne pouvons pas envoyer de SMS vers ce pays pour le moment. Le problème vient de nous : en redemander n’y changera rien. Votre argent n’a pas bougé.`,
}

/** What can be done instead. An account that was made with a phone may have no other way in, and a second account would be an empty one. */
const INSTEAD: Partial<Record<Purpose, MessageDescriptor>> = {
  signIn: msg`Si votre compte a une adresse e-mail, connectez-vous avec elle. Sinon, écrivez-nous.`,
  signUp: msg`Vous pouvez créer votre compte par e-mail.`,
}

/** Number, code by text message, confirmation: what the phone machine asks for. Specification, sections 4, 5 and 8. */
export function PhoneCodeForm({
  actor,
  confirmLabel,
  onOtherWay,
}: {
  actor: ActorRefFrom<typeof phoneOtpMachine>
  confirmLabel: ReactNode
  /** Leads to the way by e-mail, where there is one. */
  onOtherWay?: () => void
}) {
  const { t, i18n } = useLingui()
  const { context, isBusy } = useSelector(
    actor,
    (snapshot) => ({ context: snapshot.context, isBusy: snapshot.hasTag('busy') }),
    (one, other) => one.context === other.context && one.isBusy === other.isBusy,
  )
  const { purpose, name, phone, code, problems, problem, notice, sent, resendIn, retryIn, noMessages } =
    context
  // The number changes with the right code, so its answer is waited for.
  const isChanging = useSelector(
    actor,
    (snapshot) => purpose === 'changeNumber' && snapshot.matches('verifying'),
  )
  const form = useRef<HTMLFormElement>(null)
  const isSent = sent !== null
  const instead = isSent ? undefined : INSTEAD[purpose]
  const wait = formatWait(retryIn, useLanguage())

  const wasSent = useRef(sent)
  useEffect(() => {
    // The button that led to the next field is gone with the field before, and the one that asks for another code is closed for a while.
    const isOther = sent !== wasSent.current
    const isTurn = !sent || !wasSent.current
    wasSent.current = sent
    // Who has gone on to another field meanwhile stays there.
    if (isOther && (isTurn || document.activeElement === document.body))
      focusField(form.current, sent ? 'code' : 'phone')
    if (!sent) return
    return receiveCode((received) => {
      actor.send({ type: 'code.change', code: received })
      actor.send({ type: 'code.submit' })
    })
  }, [actor, sent])
  // It is asked for after that effect: a focus that went on to a field does not come back.
  const noteFocus = useFocusBack(isBusy)

  const textOf = (field: PhoneFormProblem['field']) => {
    const found = problems.find((one) => one.field === field)
    if (!found) return undefined
    switch (found.field) {
      case 'name':
        return i18n._(NAME_REQUIRED)
      case 'phone':
        return phoneText(found, i18n)
      case 'code':
        return found.kind === 'noCode'
          ? t`Aucun code à vérifier. Réessayez.`
          : t`Saisissez le code reçu par SMS`
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React would tell the form of the page behind of this event too.
    event.stopPropagation()
    if (isBusy) return
    noteFocus()
    actor.send({ type: isSent ? 'code.submit' : 'code.request' })
    // The focus goes there only at this moment: it must not leave a field while somebody types.
    const [first] = actor.getSnapshot().context.problems
    if (first) focusField(form.current, first.field)
  }

  return (
    <form ref={form} onSubmit={submit} noValidate className={classes.form}>
      {notice && !problem && (
        <Notice kind="info" isCalling>
          {i18n._(NOTICES[notice])}
        </Notice>
      )}
      {problem && (
        <Notice kind="error">
          {problem.kind === 'tooManyChecks' ? (
            <Trans>Trop de tentatives. Réessayez dans {wait}.</Trans>
          ) : (
            i18n._(failureText(problem.failure, isSent ? UNKNOWN.confirmCode : UNKNOWN.sendCode))
          )}
        </Notice>
      )}
      {noMessages && (
        <Notice
          kind="error"
          isCalling
          action={
            <div className={classes.otherwise}>
              {onOtherWay && (
                <Button variant="default" onClick={onOtherWay}>
                  <Trans>Continuer par e-mail</Trans>
                </Button>
              )}
              <Button component="a" variant="subtle" href={`mailto:${support.email}`}>
                <Trans>Écrire à notre assistance</Trans>
              </Button>
            </div>
          }
        >
          {i18n._(NO_MESSAGES[noMessages])} {instead && i18n._(instead)}
        </Notice>
      )}
      {/* With no code under way there is no field for it. */}
      {!isSent && textOf('code') && <Notice kind="error">{textOf('code')}</Notice>}
      {purpose === 'signUp' && (
        <TextInput
          name="name"
          label={t`Nom complet`}
          autoComplete="name"
          value={name}
          onChange={(event) =>
            actor.send({ type: 'details.change', patch: { name: event.currentTarget.value } })
          }
          error={textOf('name')}
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
            error={textOf('code')}
            maxLength={40}
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
            onChange={(event) =>
              actor.send({ type: 'details.change', patch: { phone: event.currentTarget.value } })
            }
            onBlur={() => {
              const shown = writtenOut(phone)
              if (shown !== phone) actor.send({ type: 'details.change', patch: { phone: shown } })
            }}
            error={textOf('phone')}
            maxLength={60}
          />
        )
      )}
      {(isSent || !noMessages) && (
        <Button type="submit" loading={isBusy} fullWidth>
          {isSent ? confirmLabel : <Trans>Recevoir un code par SMS</Trans>}
        </Button>
      )}
      <SlowAnswer isAwaited={isBusy} />
      {isSent && (
        <div className={classes.otherwise}>
          {!noMessages && (
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
          {purpose !== 'reauthenticate' && (
            <Button
              variant="subtle"
              disabled={isChanging}
              onClick={() => actor.send({ type: 'number.change' })}
            >
              <Trans>Changer de numéro</Trans>
            </Button>
          )}
        </div>
      )}
    </form>
  )
}
