import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useCallback } from 'react'
import { formatNextReset, getNextMonthStart } from '../../../domain/common/month.ts'
import { formatMoney, formatMoneyShort, money } from '../../../domain/money/money.ts'
import { type CapGauge, type CapUse, computeCapGauge } from '../../../domain/prices/capUse.ts'
import { MONTHLY_CAP_EUR_CENTS } from '../../../domain/prices/limits.ts'
import { refreshPlan } from '../../actors/refreshPlan.ts'
import { readOwnSubscription } from '../../cache/queries.ts'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { Freshness } from '../../ui/Freshness.tsx'
import { OPERATION_FAILURE_TEXTS } from '../../ui/failureText.ts'
import { markUntranslated } from '../../ui/markUntranslated.tsx'
import { PageAside } from '../../ui/PageAside.tsx'
import { Refresh } from '../../ui/Refresh.tsx'
import { RefreshProblem } from '../../ui/StaleNotice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'
import { useOnline } from '../../ui/useOnline.ts'
import { useRefresh } from '../../ui/useRefresh.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import { CapArch } from './CapArch.tsx'
import classes from './Plans.module.css'
import { Plans } from './Plans.tsx'
import { useCapUse } from './useCapUse.ts'

const EMPTY_GAUGE: CapGauge = { sent: 0, used: 0 }

/** Specification, section 2: Wallet. */
export function WalletPage({ uid }: { uid: string }) {
  const { t } = useLingui()
  const isOnline = useOnline()
  const subscription = useLiveQuery(uid, readOwnSubscription)
  const { use, ledger, error, isFetched, isAsking, ask } = useCapUse(uid)
  const plan = useRefresh(useCallback(() => refreshPlan(uid), [uid]))
  const refresh = async () => {
    const [ledgerFailure, planFailure] = await Promise.all([ask(), plan.ask()])
    return ledgerFailure ?? planFailure
  }
  const month = (
    <>
      <RefreshProblem
        problem={
          isOnline &&
          (error ?? plan.error) !== null &&
          OPERATION_FAILURE_TEXTS[error === null ? 'fetchProfile' : 'fetchLedger']
        }
        isAsking={isAsking || plan.isAsking}
        onRetry={refresh}
      />
      <CapCard use={use} isAwaited={error === null} />
    </>
  )
  return (
    <div className={classes.wallet}>
      <PageAside>
        <Refresh name={t`Actualiser le portefeuille`} done={t`Portefeuille actualisé.`} ask={refresh}>
          <Freshness
            asOf={ledger?.asOf ?? null}
            isOffline={!isOnline}
            isFresh={isFetched && error === null}
          />
        </Refresh>
      </PageAside>
      {/* A user who may have a plan must not be offered one. */}
      {subscription ? (
        <Plans uid={uid} stored={subscription} ledger={ledger} month={month} />
      ) : (
        <div className={classes.column}>{month}</div>
      )}
    </div>
  )
}

/** Reserves its height before the use is known, so that nothing below it moves. */
function CapCard({ use, isAwaited }: { use: CapUse | null; isAwaited: boolean }) {
  const language = useLanguage()
  const now = useServerNow(getNextMonthStart)
  const euros = (cents: number | undefined) => {
    if (cents !== undefined) return formatMoney(money(cents, 'EUR'), language)
    return isAwaited ? '…' : '–'
  }
  const key = (part: 'sent' | 'inFlight', label: ReactNode) => (
    <span className={classes.key} data-part={part}>
      {label}
    </span>
  )
  const cap = markUntranslated(formatMoneyShort(money(MONTHLY_CAP_EUR_CENTS, 'EUR'), language))
  return (
    <section className={classes.card} aria-labelledby="cap" aria-busy={!use && isAwaited}>
      <div className={classes.month}>
        <CapArch gauge={use ? computeCapGauge(use) : EMPTY_GAUGE} />
        <div>
          <h2 id="cap">
            <Trans>Ce que vous pouvez encore envoyer ce mois-ci</Trans>
          </h2>
          <p className={classes.total} translate="no">
            {euros(use?.leftCents)}
          </p>
        </div>
      </div>
      <Facts isCard={false}>
        <Fact label={key('sent', <Trans>Payé ce mois-ci</Trans>)}>{euros(use?.sentCents)}</Fact>
        <Fact label={key('inFlight', <Trans>Paiements en cours</Trans>)}>{euros(use?.inFlightCents)}</Fact>
        <Fact label={<Trans>Plafond {cap}, renouvelé le</Trans>} translate="yes">
          {formatNextReset(now, language)}
        </Fact>
      </Facts>
      <p className={classes.quiet}>
        <Trans>Les dollars canadiens comptent en euros, et les mois en UTC.</Trans>
      </p>
    </section>
  )
}
