import { Trans } from '@lingui/react/macro'
import { type ReactNode, useCallback } from 'react'
import { formatDay } from '../../../domain/common/month.ts'
import { formatMoney, type Money, type SourceCurrency } from '../../../domain/money/money.ts'
import { type CapUse, convertRemainingCap } from '../../../domain/prices/capUse.ts'
import { getTransferLimits, toEurCents } from '../../../domain/prices/limits.ts'
import { markUntranslated } from '../../ui/markUntranslated.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useRefresh } from '../../ui/useRefresh.ts'
import { useCapUse } from './useCapUse.ts'

export function CapLeft({ uid, currency }: { uid: string; currency: SourceCurrency }) {
  const { use } = useCapUse(uid)
  const language = useLanguage()
  return use ? formatMoney(convertRemainingCap(currency, use.leftCents), language) : '–'
}

export function CapWarning({
  uid,
  gross,
  children: renderOther,
}: {
  uid: string
  gross: Money<SourceCurrency>
  children: (use: CapUse) => ReactNode
}) {
  const { use, mark } = useCapUse(uid)
  // Another device may use up or end the plan, which changes the price.
  useRefresh(
    useCallback(async () => (await import('../../actors/refreshPlan.ts')).refreshPlan(uid), [uid]),
    mark,
  )
  if (!use) return null
  return toEurCents(gross) > use.leftCents ? <Exceeded use={use} gross={gross} /> : renderOther(use)
}

function Exceeded({ use: { leftCents, resetsAt }, gross }: { use: CapUse; gross: Money<SourceCurrency> }) {
  const language = useLanguage()
  const most = convertRemainingCap(gross.currency, leftCents)
  const left = markUntranslated(formatMoney(most, language))
  const date = formatDay(resetsAt, language)
  return (
    <Notice kind="warning" title={<Trans>C’est plus que ce qu’il vous reste ce mois-ci</Trans>}>
      {most.minor < getTransferLimits(gross.currency).min.minor ? (
        <Trans>Votre plafond du mois est atteint. Un nouveau mois commence le {date}.</Trans>
      ) : (
        <Trans>
          Vous pouvez encore envoyer {left}. Un nouveau mois commence le {date}.
        </Trans>
      )}
    </Notice>
  )
}
