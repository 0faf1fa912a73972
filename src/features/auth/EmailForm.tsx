import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { checkEmail, cleanEmail } from '../../../domain/account/email.ts'
import {
  checkPassword,
  PASSWORD_MIN_LENGTH,
  PASSWORD_RECOMMENDED_LENGTH,
} from '../../../domain/account/password.ts'
import type { Failure } from '../../../domain/errors/failure.ts'
import { checkName, NAME_MAX_LENGTH } from '../../../domain/people/name.ts'
import { toFailure } from '../../browser/failure.ts'
import { isInAppBrowser } from '../../browser/inAppBrowser.ts'
import { setSignUpAddress } from '../../browser/signUpAddress.ts'
import { deviceStore } from '../../browser/storage.ts'
import { withTimeout } from '../../browser/withTimeout.ts'
import { getFailureText } from '../../ui/failureText.ts'
import { EMAIL_INVALID, NAME_REQUIRED, PASSWORD_TOO_SHORT } from '../../ui/fieldText.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { SlowResponseNotice } from '../../ui/SlowResponseNotice.tsx'
import { showToast } from '../../ui/toast.ts'
import { focusField, useForm } from '../../ui/useForm.ts'
import { useRestoreFocus } from '../../ui/useRestoreFocus.ts'
import classes from './AuthCard.module.css'
import { ModeSwitchButton } from './ModeSwitchButton.tsx'
import type { AuthMode, InitialAuthState } from './readAuthStart.ts'

type Field = 'name' | 'email' | 'password'
interface FieldProblem {
  readonly field: Field
  readonly text: MessageDescriptor
}

const EMAIL_REQUIRED = msg`Veuillez entrer votre adresse e-mail`
/** On sign-in, a too-short password gets a generic message instead of the sign-up rule. */
const PASSWORD_WANTED = msg`Saisissez votre mot de passe en entier.`

/** In milliseconds: slightly longer than the SDK's own timeout on phones. */
const SUBMIT_TIMEOUT = 65_000

const LOOKS_LIKE_NUMBER = /^[+\d][\d().-]{6,}$/

const loadAuth = () => import('../../services/auth.ts')

/** Specification, sections 2, 4 and 5. */
export function EmailForm({
  start,
  mode,
  onMode,
  onType,
  onNumber,
  onGoogle,
}: {
  start: InitialAuthState
  mode: AuthMode
  onMode: (mode: AuthMode) => void
  /** The password must not be stored. */
  onType: (typed: { name: string; email: string }) => void
  onNumber: (number: string) => void
  onGoogle: () => void
}) {
  const { t, i18n } = useLingui()
  const { form, values, change, report, bind } = useForm<Record<Field, string>, FieldProblem>(
    { name: start.name, email: start.email, password: '' },
    ({ text }) => i18n._(text),
  )
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isResetSent, setResetSent] = useState(false)
  const [busy, setBusy] = useState(false)
  const noteFocus = useRestoreFocus(busy)

  useEffect(() => onType({ name: values.name, email: values.email }), [onType, values.name, values.email])

  const name = checkName(values.name)
  const email = cleanEmail(values.email)
  const check = () => {
    const problems: FieldProblem[] = []
    if (mode === 'signUp' && !name.ok) problems.push({ field: 'name', text: NAME_REQUIRED })
    if (!checkEmail(values.email).ok) problems.push({ field: 'email', text: EMAIL_INVALID })
    if (!checkPassword(values.password).ok)
      problems.push({ field: 'password', text: mode === 'signUp' ? PASSWORD_TOO_SHORT : PASSWORD_WANTED })
    return problems
  }

  const during = async (work: () => Promise<void>) => {
    noteFocus()
    setBusy(true)
    setFailure(null)
    setResetSent(false)
    try {
      await withTimeout(work(), SUBMIT_TIMEOUT)
    } catch (error) {
      const reason = toFailure(error)
      setFailure(reason)
      // Switching the mode would disturb a user who types on the phone tab.
      const isInSight = form.current && !form.current.closest('[hidden]')
      if (reason.kind === 'auth' && reason.code === 'user-not-found' && isInSight) offerSignUp()
    } finally {
      setBusy(false)
    }
  }

  const offerSignUp = () => {
    onMode('signUp')
    setSignUpAddress(email)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && LOOKS_LIKE_NUMBER.test(email)) {
      change({ email: '' })
      return onNumber(values.email.trim())
    }
    if (busy || !report(check())) return
    const details = { name: name.ok ? name.value : '', email, password: values.password }
    return during(async () => {
      const auth = await loadAuth()
      if (mode === 'signUp') {
        const { signUp } = await import('../../services/signUp.ts')
        const { mailSent } = await signUp(details)
        deviceStore.set('forceSignUp', null)
        return mailSent
          ? showToast('success', t`E-mail de vérification envoyé.`)
          : showToast('error', t`L’e-mail de vérification n’a pas pu partir. Réessayez dans un moment.`)
      }
      await auth.signIn(details.email, details.password)
    })
  }

  const forgotPassword = () => {
    if (!checkEmail(values.email).ok) return report([{ field: 'email', text: EMAIL_REQUIRED }])
    return during(async () => {
      const auth = await loadAuth()
      await auth.sendPasswordReset(email)
      setResetSent(true)
    })
  }

  const isRefused =
    mode === 'signIn' &&
    failure?.kind === 'auth' &&
    (failure.code === 'invalid-credential' || failure.code === 'wrong-password')
  // With email enumeration protection, the address may be unknown, so the form also offers the sign-up.
  const mayBeUnknown = isRefused && failure.code === 'invalid-credential'
  const takeSignUp = () => {
    flushSync(() => {
      setFailure(null)
      offerSignUp()
    })
    focusField(form.current, 'name')
  }

  const turn = (next: AuthMode) => {
    onMode(next)
    report([])
    setFailure(null)
    setResetSent(false)
  }

  return (
    <>
      <form ref={form} onSubmit={submit} noValidate className={classes.form}>
        {start.isVerified && (
          <Notice kind="success">
            <Trans>Votre adresse e-mail est vérifiée. Connectez-vous.</Trans>
          </Notice>
        )}
        {start.forced === 'account' && mode === 'signUp' && !failure && (
          <Notice kind="info" isCalling>
            <Trans>Aucun compte Passerelle trouvé. Créez le vôtre ici.</Trans>
          </Notice>
        )}
        {failure && (
          <Notice
            kind="error"
            action={
              mayBeUnknown ? (
                <Button variant="light" onClick={takeSignUp}>
                  <Trans>S’inscrire avec cette adresse</Trans>
                </Button>
              ) : (
                failure.kind === 'googleAccount' &&
                !isInAppBrowser() && (
                  <Button variant="light" onClick={onGoogle}>
                    <Trans>Continuer avec Google</Trans>
                  </Button>
                )
              )
            }
          >
            {i18n._(getFailureText(failure))}{' '}
            {mayBeUnknown && (
              <Trans>
                Cette adresse n’a peut-être pas de compte, ou n’en a plus. Si vous l’avez changée,
                connectez-vous avec la nouvelle.
              </Trans>
            )}{' '}
            {isRefused && (
              <Trans>Inscription avec Google ou par téléphone ? Connectez-vous de la même façon.</Trans>
            )}
          </Notice>
        )}
        {mode === 'signUp' && (
          <TextInput
            {...bind('name')}
            label={t`Nom complet`}
            autoComplete="name"
            maxLength={NAME_MAX_LENGTH}
          />
        )}
        <TextInput
          {...bind('email')}
          type="email"
          label={t`Adresse e-mail`}
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordField
          {...bind('password')}
          label={t`Mot de passe`}
          description={
            mode === 'signUp' &&
            t`Au moins ${PASSWORD_MIN_LENGTH} caractères. Mieux : ${PASSWORD_RECOMMENDED_LENGTH} ou plus, avec une majuscule et un chiffre.`
          }
          action={
            mode === 'signIn' && (
              <Button
                variant="subtle"
                aria-label={t`Mot de passe oublié ?`}
                onClick={forgotPassword}
                disabled={busy}
              >
                <Trans>Oublié ?</Trans>
              </Button>
            )
          }
          autoComplete={mode === 'signIn' ? 'current-password' : 'new-password'}
        />
        <Button type="submit" loading={busy} fullWidth>
          {mode === 'signIn' ? <Trans>Se connecter</Trans> : <Trans>Créer mon compte</Trans>}
        </Button>
        <SlowResponseNotice isAwaited={busy} />
        {isResetSent && (
          <Notice kind="info" isCalling>
            <Trans>
              Si un compte existe à cette adresse, un e-mail vient de partir pour changer le mot de passe.
            </Trans>
          </Notice>
        )}
      </form>
      <ModeSwitchButton mode={mode} isBusy={busy} onTurn={turn} />
    </>
  )
}
