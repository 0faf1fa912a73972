import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useCallback, useEffect, useState } from 'react'
import { Letter } from '../../ui/drawings/Letter.tsx'
import { BackIcon } from '../../ui/icons/common.ts'
import { SlowResponseNotice } from '../../ui/SlowResponseNotice.tsx'
import { showToast } from '../../ui/toast.ts'
import { useRestoreFocus } from '../../ui/useRestoreFocus.ts'
import { AuthHeader } from './AuthHeader.tsx'
import classes from './VerificationScreen.module.css'

/** Specification, section 2. */
export default function VerificationScreen({
  email,
  isBusy,
  onRecheck,
  onLeave,
}: {
  email: string
  isBusy: boolean
  onRecheck: () => void
  onLeave: () => void
}) {
  const { t } = useLingui()
  const [isSending, setSending] = useState(false)
  const noteFocus = useRestoreFocus(isBusy || isSending)

  const recheck = useCallback(() => {
    noteFocus()
    onRecheck()
  }, [noteFocus, onRecheck])

  // The link often opens in the mail app.
  useEffect(() => {
    const lookAgain = () => document.visibilityState === 'visible' && recheck()
    document.addEventListener('visibilitychange', lookAgain)
    return () => document.removeEventListener('visibilitychange', lookAgain)
  }, [recheck])

  const resend = async () => {
    noteFocus()
    setSending(true)
    try {
      const auth = await import('../../services/auth.ts')
      await auth.sendVerificationEmail()
      showToast('success', t`E-mail de vérification envoyé.`)
    } catch {
      showToast('error', t`L’e-mail de vérification n’a pas pu partir. Réessayez dans un moment.`)
    } finally {
      setSending(false)
    }
  }

  return (
    <div className={classes.screen}>
      <AuthHeader />
      <main className={`${classes.card} ${classes.centred}`}>
        <Letter />
        <h1>
          <Trans>Vérifiez votre adresse e-mail</Trans>
        </h1>
        <p className={classes.soft}>
          <Trans>Ouvrez le lien que nous avons envoyé à</Trans>{' '}
          <strong className={classes.address}>{email}</strong>
        </p>
        <Button onClick={recheck} loading={isBusy}>
          <Trans>J’ai ouvert le lien</Trans>
        </Button>
        <Button variant="light" onClick={resend} loading={isSending}>
          <Trans>Renvoyer l’e-mail</Trans>
        </Button>
        <SlowResponseNotice isAwaited={isBusy || isSending} />
        <p className={classes.soft}>
          <Trans>Rien reçu ? Regardez dans les courriers indésirables.</Trans>
        </p>
        <Button variant="subtle" leftSection={<BackIcon isSmall />} onClick={onLeave}>
          <Trans>Retour à la connexion</Trans>
        </Button>
      </main>
    </div>
  )
}
