import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import classes from './AuthCard.module.css'
import type { AuthMode } from './authStart.ts'

/** Leads from signing in to signing up and back. Specification, section 2. */
export function TurnButton({
  mode,
  isBusy,
  onTurn,
}: {
  mode: AuthMode
  isBusy: boolean
  onTurn: () => void
}) {
  return (
    <p className={classes.turn}>
      {mode === 'signIn' ? <Trans>Pas encore de compte ?</Trans> : <Trans>Déjà un compte ?</Trans>}
      <Button variant="default" onClick={onTurn} disabled={isBusy} fullWidth>
        {mode === 'signIn' ? <Trans>Créer un compte</Trans> : <Trans>Se connecter</Trans>}
      </Button>
    </p>
  )
}
