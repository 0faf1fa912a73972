import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { checkEmail } from '../../../domain/email.ts'
import type { Failure } from '../../../domain/failure.ts'
import { checkName, NAME_MAX_LENGTH } from '../../../domain/name.ts'
import { checkPassword, PASSWORD_MIN_LENGTH, PASSWORD_RECOMMENDED_LENGTH } from '../../../domain/password.ts'
import { failureOf } from '../../browser/failure.ts'
import { leadToSignUp } from '../../browser/signUpAddress.ts'
import { deviceStore } from '../../browser/storage.ts'
import { withTimeout } from '../../browser/withTimeout.ts'
import { failureText } from '../../ui/failureText.ts'
import { EMAIL_INVALID, NAME_REQUIRED, PASSWORD_TOO_SHORT } from '../../ui/fieldText.ts'
import { Notice } from '../../ui/Notice.tsx'
import { SlowAnswer } from '../../ui/SlowAnswer.tsx'
import { toast } from '../../ui/toast.ts'
import { useFocusBack } from '../../ui/useFocusBack.ts'
import { focusField, useForm } from '../../ui/useForm.ts'
import classes from './AuthCard.module.css'
import type { AuthMode, AuthStart } from './authStart.ts'
import { TurnButton } from './TurnButton.tsx'

type Field = 'name' | 'email' | 'password'
interface FieldProblem {
  readonly field: Field
  readonly text: MessageDescriptor
}

const EMAIL_REQUIRED = msg`Veuillez entrer votre adresse e-mail`
/** No password is shorter than the rule for new ones, which who signs in need not be told. */
const PASSWORD_WANTED = msg`Saisissez votre mot de passe en entier.`

/** How long the service may take, in milliseconds: a little longer than its library waits on a phone. */
const PATIENCE = 65_000

/** What is typed as an address and can only be meant as a number. */
const LOOKS_LIKE_NUMBER = /^[+\d][\d\s().-]{6,}$/

// The sign-in SDK is large; it is fetched when the form is used, not before the page can be read.
const loadAuth = () => import('../../services/auth.ts')

/** The way in by e-mail and password. Specification, sections 2, 4 and 5. */
export function EmailForm({
  start,
  mode,
  onMode,
  onType,
  onNumber,
}: {
  start: AuthStart
  mode: AuthMode
  onMode: (mode: AuthMode) => void
  /** What was typed may be kept, but for the password. */
  onType: (typed: { name: string; email: string }) => void
  /** A number was typed in the place of the address. */
  onNumber: (number: string) => void
}) {
  const { t, i18n } = useLingui()
  const { form, values, change, report, findProblem } = useForm<Record<Field, string>, FieldProblem>({
    name: start.name,
    email: start.email,
    password: '',
  })
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isResetSent, setResetSent] = useState(false)
  const [busy, setBusy] = useState(false)
  const noteFocus = useFocusBack(busy)

  useEffect(() => onType({ name: values.name, email: values.email }), [onType, values.name, values.email])

  const name = checkName(values.name)
  const check = () => {
    const found: FieldProblem[] = []
    if (mode === 'signUp' && !name.ok) found.push({ field: 'name', text: NAME_REQUIRED })
    if (!checkEmail(values.email).ok) found.push({ field: 'email', text: EMAIL_INVALID })
    if (!checkPassword(values.password).ok)
      found.push({ field: 'password', text: mode === 'signUp' ? PASSWORD_TOO_SHORT : PASSWORD_WANTED })
    return found
  }
  const errorOf = (field: Field) => {
    const found = findProblem(field)
    return found && i18n._(found.text)
  }

  const during = async (work: () => Promise<void>) => {
    noteFocus()
    setBusy(true)
    setFailure(null)
    setResetSent(false)
    try {
      await withTimeout(work(), PATIENCE)
    } catch (error) {
      const found = failureOf(error)
      setFailure(found)
      // Both ways in turn together: who has gone to the other one types there.
      const isInSight = form.current && !form.current.closest('[hidden]')
      if (found.kind === 'auth' && found.code === 'user-not-found' && isInSight) offerSignUp()
    } finally {
      setBusy(false)
    }
  }

  const offerSignUp = () => {
    onMode('signUp')
    leadToSignUp(values.email.trim())
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = values.email.trim()
    if (!busy && LOOKS_LIKE_NUMBER.test(typed)) {
      change({ email: '' })
      return onNumber(typed)
    }
    if (busy || !report(check())) return
    const details = { name: name.ok ? name.value : '', email: values.email.trim(), password: values.password }
    return during(async () => {
      const auth = await loadAuth()
      if (mode === 'signUp') {
        const { signUp } = await import('../../services/signUp.ts')
        const { mailSent } = await signUp(details)
        deviceStore.set('forceSignUp', null)
        return mailSent
          ? toast('success', t`E-mail de vérification envoyé.`)
          : toast('error', t`L’e-mail de vérification n’a pas pu partir. Réessayez dans un moment.`)
      }
      await auth.signIn(details.email, details.password)
    })
  }

  const forgotPassword = () => {
    if (!checkEmail(values.email).ok) return report([{ field: 'email', text: EMAIL_REQUIRED }])
    return during(async () => {
      const auth = await loadAuth()
      await auth.sendPasswordReset(values.email.trim())
      setResetSent(true)
    })
  }

  // A service that protects addresses does not say whether the address or the password is wrong. So the sign-up is offered too.
  const mayBeUnknown = mode === 'signIn' && failure?.kind === 'auth' && failure.code === 'invalid-credential'
  const isSignUpTaken = useRef(false)
  const takeSignUp = () => {
    isSignUpTaken.current = true
    setFailure(null)
    offerSignUp()
  }
  useEffect(() => {
    if (isSignUpTaken.current) focusField(form.current, 'name')
    isSignUpTaken.current = false
  })

  const turn = () => {
    onMode(mode === 'signIn' ? 'signUp' : 'signIn')
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
              mayBeUnknown && (
                <Button variant="default" onClick={takeSignUp}>
                  <Trans>S’inscrire avec cette adresse</Trans>
                </Button>
              )
            }
          >
            {i18n._(failureText(failure))}{' '}
            {mayBeUnknown && (
              <Trans>
                Ou bien cette adresse n’a pas de compte, ou n’en a plus. Si vous l’avez changée,
                connectez-vous avec la nouvelle.
              </Trans>
            )}
          </Notice>
        )}
        {mode === 'signUp' && (
          <TextInput
            name="name"
            label={t`Nom complet`}
            autoComplete="name"
            value={values.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={errorOf('name')}
            maxLength={NAME_MAX_LENGTH}
          />
        )}
        <TextInput
          name="email"
          type="email"
          label={t`Adresse e-mail`}
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          value={values.email}
          onChange={(event) => change({ email: event.currentTarget.value })}
          error={errorOf('email')}
        />
        <PasswordInput
          name="password"
          label={t`Mot de passe`}
          description={
            mode === 'signUp' &&
            t`Au moins ${PASSWORD_MIN_LENGTH} caractères. Mieux : ${PASSWORD_RECOMMENDED_LENGTH} ou plus, avec une majuscule et un chiffre.`
          }
          autoComplete={mode === 'signIn' ? 'current-password' : 'new-password'}
          visibilityToggleButtonProps={{ 'aria-label': t`Afficher ou masquer le mot de passe` }}
          value={values.password}
          onChange={(event) => change({ password: event.currentTarget.value })}
          error={errorOf('password')}
        />
        <Button type="submit" loading={busy} fullWidth>
          {mode === 'signIn' ? <Trans>Se connecter</Trans> : <Trans>Créer mon compte</Trans>}
        </Button>
        <SlowAnswer isAwaited={busy} />
        {mode === 'signIn' && (
          <Button variant="subtle" onClick={forgotPassword} disabled={busy}>
            <Trans>Mot de passe oublié ?</Trans>
          </Button>
        )}
        {isResetSent && (
          <Notice kind="info" isCalling>
            <Trans>
              Si un compte existe à cette adresse, un e-mail vient de partir pour changer le mot de passe.
            </Trans>
          </Notice>
        )}
      </form>
      <TurnButton mode={mode} isBusy={busy} onTurn={turn} />
    </>
  )
}
