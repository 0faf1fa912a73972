import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'

export const MissingCodeText = () => (
  <>
    <p>
      <Trans>Une partie de l’application n’a pas pu être chargée.</Trans>
    </p>
    <ReopenAdvice />
  </>
)

/** The outcome of a payment is unknown here, and the app may fail to open. */
export const ReopenAdvice = () => (
  <p>
    <Trans>
      Si un paiement était en cours, ne payez pas une seconde fois avant d’en connaître le résultat.
    </Trans>
  </p>
)

export const ReopenButton = () => (
  <Button onClick={() => location.reload()}>
    <Trans>Rouvrir l’application</Trans>
  </Button>
)
