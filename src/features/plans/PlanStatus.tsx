import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import type { Subscription } from '../../../domain/account/profileSchema.ts'
import { formatDay, formatNextReset } from '../../../domain/common/month.ts'
import { getAvailableSubscription, getNextPriceChangeTime } from '../../../domain/prices/allowance.ts'
import type { MonthLedger } from '../../../domain/prices/capUse.ts'
import {
  countSlotsLeft,
  getActivePlan,
  getAwaitedConfirmation,
  getPaidUntil,
} from '../../../domain/prices/plans.ts'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useRestoreFocus } from '../../ui/useRestoreFocus.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import { ConfirmationNotice } from './ConfirmationNotice.tsx'
import classes from './Plans.module.css'
import { PLAN_NAMES } from './planMessages.ts'

export const CANCEL_PLAN_BUTTON_ID = 'cancel-plan'

export function PlanStatus({
  subscription,
  ledger,
  at,
  isBusy,
  onChangeCard,
  onCancel,
}: {
  subscription: Subscription
  ledger: MonthLedger | null
  at: number
  isBusy: boolean
  onChangeCard: () => void
  onCancel: () => void
}) {
  const { tier, status, cancelAt, renewalFailed } = subscription
  const language = useLanguage()
  const now = useServerNow((now) => getNextPriceChangeTime(subscription, now))
  const noteFocus = useRestoreFocus(isBusy)
  const name = tier && PLAN_NAMES[tier]
  const plan = getActivePlan(subscription, at)
  if (!plan) return cancelAt !== null && name && <LastPlan subscription={subscription} />
  const until = formatDay(getPaidUntil(subscription, at) ?? at, language)
  const left = countSlotsLeft(getAvailableSubscription(subscription, ledger, now), now) ?? 0
  const { allowance } = plan
  const confirmation = getAwaitedConfirmation(subscription)
  const anotherCard = (
    <Button
      variant={confirmation ? 'subtle' : 'light'}
      loading={isBusy}
      onClick={() => {
        noteFocus()
        onChangeCard()
      }}
    >
      <Trans>Prendre une autre carte</Trans>
    </Button>
  )
  return (
    <section className={classes.card} aria-labelledby="own-plan">
      <h2 id="own-plan">
        <Trans>Votre forfait {name}</Trans>
      </h2>
      {confirmation && tier ? (
        <ConfirmationNotice confirmation={confirmation} tier={tier}>
          {anotherCard}
        </ConfirmationNotice>
      ) : (
        renewalFailed && (
          <Notice
            kind="warning"
            title={<Trans>Le renouvellement n’a pas pu être débité</Trans>}
            action={status === 'active' && anotherCard}
          >
            <Trans>
              Votre banque a refusé le paiement du forfait. Nous réessayons pendant quelques jours ;
              approvisionnez votre compte, ou prenez une autre carte. Si le paiement ne passe pas, le forfait
              s’arrête, et vous pourrez vous abonner de nouveau.
            </Trans>
          </Notice>
        )
      )}
      <Facts isCard={false}>
        <Fact label={<Trans>Transferts restants ce mois-ci</Trans>} translate="yes">
          <Trans>
            {left} sur {allowance}
          </Trans>
        </Fact>
        <Fact label={<Trans>Transferts renouvelés le</Trans>} translate="yes">
          {formatNextReset(at, language)}
        </Fact>
        <Fact
          label={status === 'canceled' ? <Trans>Actif jusqu’au</Trans> : <Trans>Prochain paiement</Trans>}
          translate="yes"
        >
          {until}
        </Fact>
      </Facts>
      {status === 'canceled' ? (
        <p className={classes.quiet}>
          <Trans>Résilié : vous le gardez jusqu’au {until}, puis rien ne sera plus débité.</Trans>
        </p>
      ) : (
        <Button id={CANCEL_PLAN_BUTTON_ID} variant="danger" loading={isBusy} onClick={onCancel}>
          <Trans>Résilier le forfait</Trans>
        </Button>
      )}
    </section>
  )
}

function LastPlan({ subscription: { tier, cancelAt, renewalFailed } }: { subscription: Subscription }) {
  const name = tier && PLAN_NAMES[tier]
  const date = formatDay(cancelAt ?? 0, useLanguage())
  return renewalFailed ? (
    <Notice
      kind="warning"
      title={
        <Trans>
          Votre forfait {name} s’est arrêté le {date}
        </Trans>
      }
    >
      <Trans>
        Votre banque a refusé son renouvellement. Rien n’a été débité pour ce nouveau mois ; vous pouvez vous
        abonner de nouveau.
      </Trans>
    </Notice>
  ) : (
    <Notice kind="info">
      <Trans>
        Votre forfait {name} s’est terminé le {date}.
      </Trans>
    </Notice>
  )
}
