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

/** What to do about a payment when the app is opened anew. What became of it nobody knows here, nor that the app will open. */
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
