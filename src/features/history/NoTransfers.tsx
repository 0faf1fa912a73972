import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Crossing } from '../../ui/drawings/Crossing.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

export const NoTransfers = ({ action }: { action?: ReactNode }) => (
  <EmptyState drawing={<Crossing />} title={<Trans>Rien n’a encore traversé</Trans>} action={action}>
    <Trans>Votre premier transfert apparaîtra ici, avec son reçu.</Trans>
  </EmptyState>
)
