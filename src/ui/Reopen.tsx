import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'

/** Says that code of the app does not come, and what becomes of a payment. */
export const MissingWords = () => (
  <>
    <p>
      <Trans>Une partie de l’application n’est pas arrivée.</Trans>
    </p>
    <ReopenAdvice />
  </>
)

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
