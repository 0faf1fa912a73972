import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { ReopenAdvice } from '../ui/Reopen.tsx'
import { WholeScreen } from './WholeScreen.tsx'

/** Specification, section 2. */
export const AuthErrorScreen = ({ onRetry }: { onRetry: () => void }) => (
  <WholeScreen
    title={<Trans>Une erreur d’authentification est survenue. Veuillez réessayer.</Trans>}
    action={
      <Button onClick={onRetry}>
        <Trans>Réessayer</Trans>
      </Button>
    }
  >
    <p>
      <Trans>Vérifiez votre connexion.</Trans>
    </p>
    <ReopenAdvice />
  </WholeScreen>
)
