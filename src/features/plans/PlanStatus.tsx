import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { formatDay, nextMonthStart } from '../../../domain/month.ts'
import { activePlan, paidUntil, slotsLeft } from '../../../domain/plans.ts'
import type { Subscription } from '../../../domain/schemas/profile.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useFocusBack } from '../../ui/useFocusBack.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './Plans.module.css'
import { PLAN_NAMES } from './planMessages.ts'

export const CANCEL_BUTTON = 'cancel-plan'

/** The plan that the person has, what is left of it, and how to leave it; without one, what became of the last. */
export function PlanStatus({
  subscription,
  at,
  hasPlan,
  isBusy,
  onChangeCard,
  onCancel,
}: {
  subscription: Subscription
  at: number
  hasPlan: boolean
  isBusy: boolean
  onChangeCard: () => void
  onCancel: () => void
}) {
  const { tier, status, cancelAt, renewalFailed } = subscription
  const language = useLanguage()
  const noteFocus = useFocusBack(isBusy)
  const name = tier && PLAN_NAMES[tier]
  if (!hasPlan) return cancelAt !== null && name ? <LastPlan subscription={subscription} /> : null
  const until = formatDay(paidUntil(subscription, at) ?? at, language)
  const anew = formatDay(nextMonthStart(at), language)
  const allowance = activePlan(subscription, at)?.allowance ?? 0
  return (
    <section className={classes.block} aria-labelledby="own-plan">
      <h3 id="own-plan">
        <Trans>Votre forfait {name}</Trans>
      </h3>
      {renewalFailed && (
        <Notice kind="warning" title={<Trans>Le renouvellement n’a pas pu être débité</Trans>}>
          <Trans>
            Votre banque a refusé le paiement du forfait. Nous réessayons pendant quelques jours ;
            approvisionnez votre compte, ou prenez une autre carte. Si le paiement ne passe pas, le forfait
            s’arrête, et vous pourrez vous abonner de nouveau.
          </Trans>
          {status === 'active' && (
            <Button
              variant="default"
              loading={isBusy}
              onClick={() => {
                noteFocus()
                onChangeCard()
              }}
            >
              <Trans>Prendre une autre carte</Trans>
            </Button>
          )}
        </Notice>
      )}
      <dl className={classes.facts}>
        <div>
          <dt>
            <Trans>Transferts restants ce mois-ci</Trans>
          </dt>
          <dd>
            <SlotsLeft left={slotsLeft(subscription, at) ?? 0} allowance={allowance} />
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Plafond renouvelé le</Trans>
          </dt>
          <dd>{anew}</dd>
        </div>
        <div>
          <dt>{status === 'canceled' ? <Trans>Actif jusqu’au</Trans> : <Trans>Prochain paiement</Trans>}</dt>
          <dd>{until}</dd>
        </div>
      </dl>
      {status === 'canceled' ? (
        <p className={classes.quiet}>
          <Trans>Résilié : vous le gardez jusqu’au {until}, puis rien ne sera plus débité.</Trans>
        </p>
      ) : (
        <Button id={CANCEL_BUTTON} variant="default" loading={isBusy} onClick={onCancel}>
          <Trans>Résilier le forfait</Trans>
        </Button>
      )}
    </section>
  )
}

/** So many of so many. */
export function SlotsLeft({ left, allowance }: { left: number; allowance: number }) {
  return (
    <Trans>
      {left} sur {allowance}
    </Trans>
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
