import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import type { Subscription } from '../../../domain/account/profileSchema.ts'
import { formatDay } from '../../../domain/common/month.ts'
import { getPaidUntil } from '../../../domain/prices/plans.ts'
import { Sheet } from '../../ui/Sheet.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { CANCEL_PLAN_BUTTON_ID } from './PlanStatus.tsx'
import classes from './Plans.module.css'
import { PLAN_NAMES } from './planMessages.ts'

/** The sheet stays open until the call has ended. */
export function CancelSheet({
  subscription,
  at,
  isBusy,
  onKeep,
  onConfirm,
}: {
  subscription: Subscription
  at: number
  isBusy: boolean
  onKeep: () => void
  onConfirm: () => void
}) {
  const name = subscription.tier && PLAN_NAMES[subscription.tier]
  const until = formatDay(getPaidUntil(subscription, at) ?? at, useLanguage())
  return (
    <Sheet
      title={<Trans>Résilier le forfait {name} ?</Trans>}
      onClose={onKeep}
      isClosable={!isBusy}
      returnTo={`#${CANCEL_PLAN_BUTTON_ID}`}
    >
      <p>
        <Trans>
          Ce mois est payé : vous gardez le forfait et ses transferts jusqu’au {until}. Après, plus rien n’est
          débité, et vos transferts reviennent au tarif sans forfait.
        </Trans>
      </p>
      <div className={classes.actions}>
        <Button onClick={onKeep} variant="light" disabled={isBusy} data-autofocus>
          <Trans>Garder le forfait</Trans>
        </Button>
        <Button variant="danger" loading={isBusy} onClick={onConfirm}>
          <Trans>Résilier</Trans>
        </Button>
      </div>
    </Sheet>
  )
}
