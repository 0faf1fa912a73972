import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useCallback } from 'react'
import { allowanceFor, nextTurn } from '../../../domain/allowance.ts'
import type { CapUse, MonthLedger } from '../../../domain/capUse.ts'
import { DEFAULT_FEE_PERCENT } from '../../../domain/fees.ts'
import { MONTHLY_CAP_EUR_CENTS } from '../../../domain/limits.ts'
import { formatMoney, formatMoneyShort, money } from '../../../domain/money.ts'
import { formatDay, nextMonthStart } from '../../../domain/month.ts'
import { activePlan, slotsLeft } from '../../../domain/plans.ts'
import type { Subscription } from '../../../domain/schemas/profile.ts'
import { refreshPlan } from '../../actors/refreshPlan.ts'
import { ownSubscription } from '../../cache/queries.ts'
import { Freshness } from '../../ui/Freshness.tsx'
import { BY_OPERATION } from '../../ui/failureText.ts'
import { NotFresh } from '../../ui/NotFresh.tsx'
import { useCached } from '../../ui/useCached.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useOnline } from '../../ui/useOnline.ts'
import { useRefresh } from '../../ui/useRefresh.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import { SlotsLeft } from './PlanStatus.tsx'
import classes from './Plans.module.css'
import { PLAN_NAMES } from './planMessages.ts'
import { useCapUse } from './useCapUse.ts'

/** This month's use of the cap, and the plan with what is left of it. Specification, section 2: Wallet. */
export function WalletPage({ uid, onPlans }: { uid: string; onPlans: () => void }) {
  const { i18n } = useLingui()
  const isOnline = useOnline()
  const subscription = useCached(uid, ownSubscription)
  const { use, asOf, ledger, error, isFetched, isAsking, ask } = useCapUse(uid)
  const plan = useRefresh(useCallback(() => refreshPlan(uid), [uid]))
  const retry = () => {
    ask()
    plan.ask()
  }
  return (
    <div className={classes.plans}>
      <p className={classes.fresh}>
        <Freshness asOf={asOf} isOffline={!isOnline} isFresh={isFetched && error === null} />
      </p>
      {isOnline && (error ?? plan.error) !== null && (
        <NotFresh isAsking={isAsking || plan.isAsking} onRetry={retry}>
          {i18n._(BY_OPERATION[error === null ? 'fetchProfile' : 'fetchLedger'])}
        </NotFresh>
      )}
      <CapCard use={use} isAwaited={error === null} />
      {subscription && <PlanCard subscription={subscription} ledger={ledger} onPlans={onPlans} />}
    </div>
  )
}

/** As high before the use is known as afterwards: what stands below it does not move while somebody aims at it. */
function CapCard({ use, isAwaited }: { use: CapUse | null; isAwaited: boolean }) {
  const language = useLanguage()
  const now = useServerNow(nextMonthStart)
  const known = (textOf: (use: CapUse) => string) => (use ? textOf(use) : isAwaited ? '…' : '–')
  const euros = (cents: number) => formatMoney(money(cents, 'EUR'), language)
  const cap = formatMoneyShort(money(MONTHLY_CAP_EUR_CENTS, 'EUR'), language)
  const { sentCents, inFlightCents } = use ?? { sentCents: 0, inFlightCents: 0 }
  return (
    <section className={classes.card} aria-labelledby="cap" aria-busy={!use && isAwaited}>
      <h2 id="cap">
        <Trans>Ce que vous pouvez encore envoyer ce mois-ci</Trans>
      </h2>
      <p className={classes.total}>{known(({ leftCents }) => euros(leftCents))}</p>
      <svg className={classes.meter} viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true">
        <rect width="1000" height="40" className={classes.whole} />
        <rect width={(1000 * sentCents) / MONTHLY_CAP_EUR_CENTS} height="40" className={classes.sent} />
        <rect
          x={(1000 * sentCents) / MONTHLY_CAP_EUR_CENTS}
          width={(1000 * inFlightCents) / MONTHLY_CAP_EUR_CENTS}
          height="40"
          className={classes.inFlight}
        />
      </svg>
      <dl className={classes.facts}>
        <div>
          <dt>
            <Trans>Plafond mensuel</Trans>
          </dt>
          <dd>{cap}</dd>
        </div>
        <div>
          <dt className={classes.key} data-part="sent">
            <Trans>Payé ce mois-ci</Trans>
          </dt>
          <dd>{known(({ sentCents }) => euros(sentCents))}</dd>
        </div>
        <div>
          <dt className={classes.key} data-part="inFlight">
            <Trans>Paiements en cours</Trans>
          </dt>
          <dd>{known(({ inFlightCents }) => euros(inFlightCents))}</dd>
        </div>
        <div>
          <dt>
            <Trans>Plafond renouvelé le</Trans>
          </dt>
          <dd>{formatDay(nextMonthStart(now), language)}</dd>
        </div>
      </dl>
      <p className={classes.quiet}>
        <Trans>Ce qui est envoyé en dollars canadiens compte en euros. Le mois change à minuit UTC.</Trans>
      </p>
    </section>
  )
}

function PlanCard({
  subscription,
  ledger,
  onPlans,
}: {
  subscription: Subscription
  ledger: MonthLedger | null
  onPlans: () => void
}) {
  const language = useLanguage()
  const now = useServerNow((now) => nextTurn(subscription, now))
  const plan = activePlan(subscription, now)
  const name = plan && PLAN_NAMES[plan.id]
  const until = plan && subscription.cancelAt !== null ? formatDay(subscription.cancelAt, language) : null
  const left = slotsLeft(allowanceFor(subscription, ledger, now), now) ?? 0
  return (
    <section className={classes.card} aria-labelledby="wallet-plan">
      <h2 id="wallet-plan">{plan ? <Trans>Forfait {name}</Trans> : <Trans>Sans forfait</Trans>}</h2>
      {plan ? (
        <dl className={classes.facts}>
          <div>
            <dt>
              <Trans>Transferts restants ce mois-ci</Trans>
            </dt>
            <dd>
              <SlotsLeft left={left} allowance={plan.allowance} />
            </dd>
          </div>
          {until && (
            <div>
              <dt>
                <Trans>Actif jusqu’au</Trans>
              </dt>
              <dd>{until}</dd>
            </div>
          )}
        </dl>
      ) : (
        <p>
          <Trans>Autant de transferts que le plafond le permet, à {DEFAULT_FEE_PERCENT} % de frais.</Trans>
        </p>
      )}
      <Button variant="default" onClick={onPlans}>
        <Trans>Voir les forfaits</Trans>
      </Button>
    </section>
  )
}
