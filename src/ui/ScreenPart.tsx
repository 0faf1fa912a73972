import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Notice } from './Notice.tsx'
import { ReopenAdvice } from './Reopen.tsx'

export const ScreenPart = ({ isPaid = false, children }: { isPaid?: boolean; children: ReactNode }) => (
  <ErrorBoundary
    instead={(retry) => (
      <Notice
        kind="error"
        isCalling
        title={<Trans>Cette partie de l’écran n’a pas pu être affichée.</Trans>}
        action={
          <Button variant="light" onClick={retry} fullWidth>
            <Trans>Réessayer</Trans>
          </Button>
        }
      >
        {isPaid ? <Trans>Ce paiement est fait : ne payez pas une seconde fois.</Trans> : <ReopenAdvice />}
      </Notice>
    )}
  >
    {children}
  </ErrorBoundary>
)
