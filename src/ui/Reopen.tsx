import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'

/** What becomes of a payment when the app is opened anew. */
export const ReopenAdvice = () => (
  <p>
    <Trans>
      Si un paiement était en cours, son résultat s’affichera à la réouverture. Ne payez pas une seconde fois
      avant de l’avoir vu.
    </Trans>
  </p>
)

export const ReopenButton = () => (
  <Button onClick={() => location.reload()}>
    <Trans>Rouvrir l’application</Trans>
  </Button>
)
