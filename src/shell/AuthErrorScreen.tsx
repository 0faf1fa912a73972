import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { Emblem } from '../ui/Logo.tsx'
import { ReopenAdvice } from '../ui/Reopen.tsx'
import classes from './WholeScreen.module.css'

/** The start did not come to an end. Specification, section 2. */
export function AuthErrorScreen({ onRetry }: { onRetry: () => void }) {
  return (
    <main className={classes.screen}>
      <Emblem />
      <h1>
        <Trans>Une erreur d’authentification est survenue. Veuillez réessayer.</Trans>
      </h1>
      <p>
        <Trans>Vérifiez votre connexion.</Trans>
      </p>
      <ReopenAdvice />
      <Button onClick={onRetry}>
        <Trans>Réessayer</Trans>
      </Button>
    </main>
  )
}
