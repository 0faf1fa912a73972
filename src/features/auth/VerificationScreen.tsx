import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { LanguageSwitch } from '../../ui/LanguageSwitch.tsx'
import { Wordmark } from '../../ui/Logo.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useFocusBack } from '../../ui/useFocusBack.ts'
import classes from './VerificationScreen.module.css'

/** Holds a person whose e-mail address is not verified yet. Specification, section 2. */
export function VerificationScreen({
  email,
  onRecheck,
  onLeave,
}: {
  email: string
  onRecheck: () => void
  onLeave: () => void
}) {
  const [resent, setResent] = useState<'sent' | 'failed' | null>(null)
  const [busy, setBusy] = useState(false)
  const noteFocus = useFocusBack(busy)

  // The link is often opened in the mail app: look again when the person comes back.
  useEffect(() => {
    const lookAgain = () => document.visibilityState === 'visible' && onRecheck()
    document.addEventListener('visibilitychange', lookAgain)
    return () => document.removeEventListener('visibilitychange', lookAgain)
  }, [onRecheck])

  const resend = async () => {
    noteFocus()
    setBusy(true)
    setResent(null)
    try {
      const auth = await import('../../services/auth.ts')
      await auth.sendVerification()
      setResent('sent')
    } catch {
      setResent('failed')
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className={classes.screen}>
      <header className={classes.header}>
        <Wordmark />
        <LanguageSwitch />
      </header>
      <main className={classes.card}>
        <h1>
          <Trans>Vérifiez votre adresse e-mail</Trans>
        </h1>
        <p>
          <Trans>Il reste à ouvrir le lien de l’e-mail de vérification, à l’adresse :</Trans>{' '}
          <strong className={classes.address}>{email}</strong>
        </p>
        <p>
          <Trans>Rien reçu ? Regardez dans les courriers indésirables, ou demandez un nouvel envoi.</Trans>
        </p>
        <Button onClick={onRecheck}>
          <Trans>J’ai ouvert le lien</Trans>
        </Button>
        <Button variant="default" onClick={resend} loading={busy}>
          <Trans>Renvoyer l’e-mail</Trans>
        </Button>
        {resent === 'sent' && (
          <Notice kind="success" isCalling>
            <Trans>E-mail de vérification envoyé.</Trans>
          </Notice>
        )}
        {resent === 'failed' && (
          <Notice kind="error" isCalling>
            <Trans>L’e-mail de vérification n’a pas pu partir. Réessayez dans un moment.</Trans>
          </Notice>
        )}
        <Button variant="subtle" onClick={onLeave}>
          <Trans>Retour à la connexion</Trans>
        </Button>
      </main>
    </div>
  )
}
