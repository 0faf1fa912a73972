import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import type { Session } from '../../domain/session.ts'
import classes from '../features/auth/VerificationScreen.module.css'
import { openAnother } from '../services/addressConfirmation.ts'
import { support } from '../services/support.ts'
import { UNKNOWN } from '../ui/failureText.ts'
import { LanguageSwitch } from '../ui/LanguageSwitch.tsx'
import { Wordmark } from '../ui/Logo.tsx'
import { Notice } from '../ui/Notice.tsx'
import { useSubmit } from '../ui/useSubmit.ts'

/** Holds a person whose address is verified, in an account that is not open to the way by which they came. */
export default function HeldScreen({
  session,
  onLeave,
}: {
  session: Extract<Session, { kind: 'held' }>
  onLeave: () => void
}) {
  const { email, until } = session
  const address = <strong className={classes.address}>{email}</strong>
  const present = <strong className={classes.address}>{until === 'another' && session.present}</strong>
  const mail = <a href={`mailto:${support.email}`}>{support.email}</a>
  return (
    <div className={classes.screen}>
      <header className={classes.header}>
        <Wordmark />
        <LanguageSwitch />
      </header>
      <main className={classes.card}>
        {until === 'signedInAgain' && (
          <>
            <h1>
              <Trans>Reconnectez-vous</Trans>
            </h1>
            <p>
              <Trans>
                Un autre moyen de connexion avait été ajouté à ce compte avant que votre adresse soit
                confirmée. Nous l’avons retiré, et toutes les sessions sont terminées. Aucun argent n’a bougé.
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
                pas encore confirmée. Connectez-vous une fois avec ce numéro. Rien n’a été changé.
              </Trans>
            </p>
            <p>
              <Trans>
                Ce compte n’est pas le vôtre ? Écrivez à {mail} : nous en retirerons votre adresse.
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
                L’adresse {address} était celle d’un compte qui en a une autre maintenant : {present}. Si
                c’est le vôtre, connectez-vous avec celle-ci : vos transferts y sont. Sans mot de passe,
                demandez-en un par « Mot de passe oublié ? ».
              </Trans>
            </p>
            <p>
              <Trans>
                Ce compte n’est pas le vôtre ? Ouvrez le vôtre avec {address}. Rien n’a été changé.
              </Trans>
            </p>
          </>
        )}
        <Button onClick={onLeave}>
          <Trans>Retour à la connexion</Trans>
        </Button>
        {until === 'another' && <OpenAnother />}
      </main>
    </div>
  )
}

function OpenAnother() {
  const { isBusy, problem, submit } = useSubmit(openAnother, UNKNOWN.signIn)
  return (
    <>
      {problem && <Notice kind="error">{problem}</Notice>}
      <Button variant="default" loading={isBusy} onClick={submit}>
        <Trans>Ouvrir un autre compte</Trans>
      </Button>
    </>
  )
}
