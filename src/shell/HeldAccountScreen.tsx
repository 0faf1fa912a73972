import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Session } from '../../domain/account/session.ts'
import { setSignInAddress, setSignUpAddress } from '../browser/signUpAddress.ts'
import { AuthHeader } from '../features/auth/AuthHeader.tsx'
import classes from '../features/auth/VerificationScreen.module.css'
import { confirmFormerAddress, reclaimAddress } from '../services/addressConfirmation.ts'
import { UNKNOWN_CODE_TEXTS } from '../ui/failureText.ts'
import { Notice } from '../ui/Notice.tsx'
import { showToast } from '../ui/toast.ts'
import { useSubmit } from '../ui/useSubmit.ts'

/** The address is verified, but the sign-in method does not open the account. */
export default function HeldAccountScreen({
  session,
  onLeave,
}: {
  session: Extract<Session, { kind: 'held' }>
  onLeave: () => void
}) {
  const { t } = useLingui()
  const { email, until } = session
  const address = <strong className={classes.address}>{email}</strong>
  const present = <strong className={classes.address}>{until === 'another' && session.present}</strong>
  const resend = async () => {
    await (await import('../services/auth.ts')).sendVerificationEmail()
    showToast('success', t`E-mail de vérification envoyé.`)
  }
  const backToSignIn = () => {
    setSignInAddress()
    onLeave()
  }
  const release = async () => {
    await reclaimAddress()
    setSignUpAddress(email)
    onLeave()
  }
  return (
    <div className={classes.screen}>
      <AuthHeader />
      <main className={classes.card}>
        {until === 'signedInAgain' && (
          <>
            <h1>
              <Trans>Reconnectez-vous</Trans>
            </h1>
            <p>
              <Trans>
                Quelqu’un d’autre a pu se servir de ce compte avant que votre adresse soit confirmée. Nous
                avons terminé toutes les sessions et retiré tout autre moyen de connexion. Aucun argent n’a
                bougé.
              </Trans>
            </p>
            <p>
              <Trans>Reconnectez-vous comme vous venez de le faire. L’adresse du compte est {address}.</Trans>
            </p>
          </>
        )}
        {until === 'byAddress' && (
          <>
            <h1>
              <Trans>Connectez-vous avec votre adresse e-mail</Trans>
            </h1>
            <p>
              <Trans>
                Ce compte a été créé avec l’adresse {address}. Il s’ouvre avec elle et son mot de passe, ou
                avec le compte Google de cette adresse. Rien n’a été changé.
              </Trans>
            </p>
          </>
        )}
        {until === 'byPhone' && (
          <>
            <h1>
              <Trans>Connectez-vous avec votre numéro</Trans>
            </h1>
            <p>
              <Trans>
                L’adresse {address} a été ajoutée à un compte créé avec un numéro de téléphone. Elle n’y est
                pas encore confirmée. Ouvrez sur cet appareil le lien de l’e-mail de vérification, puis
                connectez-vous une fois avec ce numéro.
              </Trans>
            </p>
            <p>
              <Trans>
                Ce compte n’est pas le vôtre ? Retirez-en votre adresse : vous pourrez ensuite créer le vôtre
                avec elle.
              </Trans>
            </p>
          </>
        )}
        {until === 'another' && (
          <>
            <h1>
              <Trans>Un compte avait déjà cette adresse</Trans>
            </h1>
            <p>
              <Trans>
                L’adresse {address} était celle d’un compte qui utilise maintenant {present}. Si ce compte est
                le vôtre, connectez-vous avec sa nouvelle adresse : vos transferts y sont. Pas de mot de passe
                ? Demandez-en un par « Mot de passe oublié ? ».
              </Trans>
            </p>
            <p>
              <Trans>
                Ce compte n’est pas le vôtre ? Ouvrez le vôtre avec {address}. Rien n’a été changé.
              </Trans>
            </p>
          </>
        )}
        <Button onClick={backToSignIn}>
          <Trans>Retour à la connexion</Trans>
        </Button>
        {until === 'another' && (
          <SubmitButton label={<Trans>Ouvrir un autre compte</Trans>} work={confirmFormerAddress} />
        )}
        {until === 'byPhone' && (
          <>
            <SubmitButton label={<Trans>Renvoyer l’e-mail</Trans>} work={resend} />
            <SubmitButton label={<Trans>Retirer mon adresse de ce compte</Trans>} work={release} />
          </>
        )}
      </main>
    </div>
  )
}

function SubmitButton({ label, work }: { label: ReactNode; work: () => Promise<void> }) {
  const { isBusy, problem, submit } = useSubmit(work, UNKNOWN_CODE_TEXTS.signIn)
  return (
    <>
      {problem && <Notice kind="error">{problem}</Notice>}
      <Button variant="light" loading={isBusy} onClick={submit}>
        {label}
      </Button>
    </>
  )
}
