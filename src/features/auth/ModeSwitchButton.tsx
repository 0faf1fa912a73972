import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import classes from './AuthCard.module.css'
import type { AuthMode } from './readAuthStart.ts'

/** Specification, section 2. */
export function ModeSwitchButton({
  mode,
  isBusy,
  onTurn,
}: {
  mode: AuthMode
  isBusy: boolean
  onTurn: (mode: AuthMode) => void
}) {
  return (
    <>
      <p className={classes.question}>
        {mode === 'signIn' ? <Trans>Pas encore de compte ?</Trans> : <Trans>Déjà un compte ?</Trans>}
      </p>
      <Button
        variant="light"
        onClick={() => onTurn(mode === 'signIn' ? 'signUp' : 'signIn')}
        disabled={isBusy}
        fullWidth
      >
        {mode === 'signIn' ? <Trans>Créer un compte</Trans> : <Trans>Se connecter</Trans>}
      </Button>
    </>
  )
}
