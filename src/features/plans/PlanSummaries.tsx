import { Trans } from '@lingui/react/macro'
import type { CSSProperties } from 'react'
import { formatNextReset, getNextMonthStart } from '../../../domain/common/month.ts'
import { formatMoney, formatMoneyShort, money } from '../../../domain/money/money.ts'
import { computeCapGauge } from '../../../domain/prices/capUse.ts'
import { DEFAULT_FEE_PERCENT } from '../../../domain/prices/fees.ts'
import { MONTHLY_CAP_EUR_CENTS } from '../../../domain/prices/limits.ts'
import { getActivePlan } from '../../../domain/prices/plans.ts'
import { readOwnSubscription } from '../../cache/queries.ts'
import { ProgressArch } from '../../ui/ProgressArch.tsx'
import { Row, Rows } from '../../ui/Row.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import { PLAN_NAMES } from './planMessages.ts'
import { useCapUse } from './useCapUse.ts'

export function CapSummary({ uid }: { uid: string }) {
  const { use } = useCapUse(uid)
  const language = useLanguage()
  if (!use) return null
  const left = formatMoneyShort(money(use.leftCents, 'EUR'), language)
  return <Trans>{left} restants</Trans>
}

export function PlanSummary({ uid }: { uid: string }) {
  const subscription = useLiveQuery(uid, readOwnSubscription)
  const now = useServerNow(getNextMonthStart)
  if (!subscription) return null
  const name = subscription.tier && getActivePlan(subscription, now) && PLAN_NAMES[subscription.tier]
  return name ? (
    <Trans>Forfait {name}</Trans>
  ) : (
    <>
      <Trans>Sans forfait</Trans>, <Trans>{DEFAULT_FEE_PERCENT} % de frais par transfert</Trans>
    </>
  )
}

const ARCH_STYLE = { '--small-arch': 'var(--width-strip-arch)' } as CSSProperties

/** For the home screen. */
export function MonthRow({ uid, onOpen }: { uid: string; onOpen: () => void }) {
  const { use } = useCapUse(uid)
  const language = useLanguage()
  const now = useServerNow(getNextMonthStart)
  if (!use) return null
  const left = formatMoney(money(use.leftCents, 'EUR'), language)
  const cap = formatMoneyShort(money(MONTHLY_CAP_EUR_CENTS, 'EUR'), language)
  return (
    <Rows>
      <Row
        picture={
          <span style={ARCH_STYLE}>
            <ProgressArch progress={{ reached: computeCapGauge(use).used, state: 'untracked' }} isSmall />
          </span>
        }
        title={<Trans>Il vous reste ce mois-ci</Trans>}
        value={left}
        note={
          <>
            <Trans>Plafond {cap}, renouvelé le</Trans> {formatNextReset(now, language)}
          </>
        }
        onOpen={onOpen}
      />
    </Rows>
  )
}
