import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useId, useRef, useState } from 'react'
import { checkEmail } from '../../domain/email.ts'
import { checkName } from '../../domain/name.ts'
import { checkPassword, PASSWORD_MIN_LENGTH } from '../../domain/password.ts'
import { FORCE_SIGN_UP } from '../../services/deviceSession.ts'
import { type Failure, failureOf } from '../../services/failure.ts'
import { currentLanguage } from '../../ui/i18n.ts'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import classes from './AuthCard.module.css'
import { authMessage } from './authMessages.ts'

type Mode = 'signIn' | 'signUp'
type Field = 'name' | 'email' | 'password'
type Errors = Partial<Record<Field, MessageDescriptor>>

// Kept as messages, not as texts: they follow when the language changes.
const NAME_REQUIRED = msg`Saisissez votre nom complet`
const EMAIL_REQUIRED = msg`Veuillez entrer votre adresse e-mail`
const EMAIL_INVALID = msg`Saisissez une adresse e-mail valide.`
const PASSWORD_TOO_SHORT = msg`Le mot de passe doit contenir au moins ${PASSWORD_MIN_LENGTH} caractères.`

// The sign-in SDK is large; it is fetched when the form is used, not before the page can be read.
const loadAuth = () => import('../../services/auth.ts')

/** The card to sign in or sign up by e-mail. Specification, sections 2, 4 and 5. */
export function AuthCard() {
  const { t, i18n } = useLingui()
  const [start] = useState(() => new URLSearchParams(location.search))
  const isVerified = start.has('emailVerified')
  const [mode, setMode] = useState<Mode>(
    start.has('signup') || localStorage.getItem(FORCE_SIGN_UP) ? 'signUp' : 'signIn',
  )
  const [values, setValues] = useState({ name: '', email: start.get('email') ?? '', password: '' })
  const [errors, setErrors] = useState<Errors>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const title = useId()

  const change = (field: Field, value: string) => {
    setValues((old) => ({ ...old, [field]: value }))
    setErrors(({ [field]: _gone, ...rest }) => rest)
  }

  const name = checkName(values.name)
  const problems = (): Errors => ({
    ...(mode === 'signUp' && !name.ok && { name: NAME_REQUIRED }),
    ...(!checkEmail(values.email).ok && { email: EMAIL_INVALID }),
    ...(!checkPassword(values.password).ok && { password: PASSWORD_TOO_SHORT }),
  })
  const textOf = (field: Field) => errors[field] && i18n._(errors[field])

  const showErrors = (found: Errors) => {
    setErrors(found)
    const first = (['name', 'email', 'password'] as const).find((field) => found[field])
    if (first) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    return first !== undefined
  }

  const during = async (work: () => Promise<void>) => {
    setBusy(true)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      const found = failureOf(error)
      setFailure(found)
      if (found.kind === 'auth' && found.code === 'user-not-found') offerSignUp()
    } finally {
      setBusy(false)
    }
  }

  const offerSignUp = () => {
    setMode('signUp')
    const query = new URLSearchParams({ signup: '', tab: 'email', email: values.email.trim() })
    history.replaceState(null, '', `/?${query}`)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy || showErrors(problems())) return
    const details = { name: name.ok ? name.value : '', email: values.email.trim(), password: values.password }
    return during(async () => {
      const auth = await loadAuth()
      auth.setMailLanguage(currentLanguage())
      if (mode === 'signUp') {
        const { mailSent } = await auth.signUp(details)
        localStorage.removeItem(FORCE_SIGN_UP)
        return mailSent
          ? toast('success', t`E-mail de vérification envoyé.`)
          : toast('error', t`L’e-mail de vérification n’a pas pu partir. Réessayez dans un moment.`)
      }
      const account = await auth.signIn(details.email, details.password)
      if (account.emailVerified) toast('success', t`Bienvenue!`)
    })
  }

  const forgotPassword = () => {
    if (!checkEmail(values.email).ok) return showErrors({ email: EMAIL_REQUIRED })
    return during(async () => {
      const auth = await loadAuth()
      auth.setMailLanguage(currentLanguage())
      await auth.sendPasswordReset(values.email.trim())
      toast(
        'info',
        t`Si un compte existe à cette adresse, un e-mail vient de partir pour changer le mot de passe.`,
      )
    })
  }

  const turn = () => {
    setMode(mode === 'signIn' ? 'signUp' : 'signIn')
    setErrors({})
    setFailure(null)
  }

  return (
    <section className={classes.card} aria-labelledby={title}>
      <h2 id={title}>{mode === 'signIn' ? <Trans>Se connecter</Trans> : <Trans>Créer un compte</Trans>}</h2>
      <form ref={form} onSubmit={submit} noValidate className={classes.form}>
        {isVerified && (
          <Notice kind="success">
            <Trans>Votre adresse e-mail est vérifiée. Connectez-vous.</Trans>
          </Notice>
        )}
        {failure && <Notice kind="error">{i18n._(authMessage(failure))}</Notice>}
        {mode === 'signUp' && (
          <TextInput
            name="name"
            label={t`Nom complet`}
            autoComplete="name"
            value={values.name}
            onChange={(event) => change('name', event.currentTarget.value)}
            error={textOf('name')}
            maxLength={100}
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
          onChange={(event) => change('email', event.currentTarget.value)}
          error={textOf('email')}
        />
        <PasswordInput
          name="password"
          label={t`Mot de passe`}
          description={
            mode === 'signUp' &&
            t`Au moins ${PASSWORD_MIN_LENGTH} caractères. Mieux : 8 ou plus, avec une majuscule et un chiffre.`
          }
          autoComplete={mode === 'signIn' ? 'current-password' : 'new-password'}
          visibilityToggleButtonProps={{ 'aria-label': t`Afficher ou masquer le mot de passe` }}
          value={values.password}
          onChange={(event) => change('password', event.currentTarget.value)}
          error={textOf('password')}
        />
        <Button type="submit" loading={busy} fullWidth>
          {mode === 'signIn' ? <Trans>Se connecter</Trans> : <Trans>Créer mon compte</Trans>}
        </Button>
        {mode === 'signIn' && (
          <Button variant="subtle" onClick={forgotPassword} disabled={busy}>
            <Trans>Mot de passe oublié ?</Trans>
          </Button>
        )}
      </form>
      <p className={classes.turn}>
        {mode === 'signIn' ? <Trans>Pas encore de compte ?</Trans> : <Trans>Déjà un compte ?</Trans>}
        <Button variant="default" onClick={turn} fullWidth>
          {mode === 'signIn' ? <Trans>Créer un compte</Trans> : <Trans>Se connecter</Trans>}
        </Button>
      </p>
    </section>
  )
}
