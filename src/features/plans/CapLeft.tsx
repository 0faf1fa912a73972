import { Trans } from '@lingui/react/macro'
import { useCallback } from 'react'
import { capUse, leftIn } from '../../../domain/capUse.ts'
import { eurCents, limitsIn } from '../../../domain/limits.ts'
import { formatMoney, type Money, type SourceCurrency } from '../../../domain/money.ts'
import { formatDay } from '../../../domain/month.ts'
import { refreshPlan } from '../../actors/refreshPlan.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useRefresh } from '../../ui/useRefresh.ts'
import classes from './CapLeft.module.css'
import { useCapUse } from './useCapUse.ts'

/** What the month still lets through, beside an amount that is being typed: nobody is refused by surprise. */
export function CapLeft({ uid, gross }: { uid: string; gross: Money<SourceCurrency> }) {
  const { use, mark } = useCapUse(uid)
  // The plan decides about the price beside the amount, and another device may use or end it.
  useRefresh(
    useCallback(() => refreshPlan(uid), [uid]),
    mark,
  )
  const language = useLanguage()
  const { leftCents, resetsAt } = use ?? capUse(null, 0)
  const most = leftIn(gross.currency, leftCents)
  const left = formatMoney(most, language)
  // Until the use is known the sentence takes its place unseen: nothing below it moves when it comes.
  if (!use || eurCents(gross) <= leftCents)
    return (
      <p className={classes.left} data-known={use !== null}>
        <Trans>Il vous reste {left} à envoyer ce mois-ci.</Trans>
      </p>
    )
  const date = formatDay(resetsAt, language)
  return (
    <Notice kind="warning" title={<Trans>C’est plus que ce qu’il vous reste ce mois-ci</Trans>}>
      {most.minor < limitsIn(gross.currency).min.minor ? (
        <Trans>Votre plafond du mois est utilisé. Un nouveau mois commence le {date}.</Trans>
      ) : (
        <Trans>
          Vous pouvez encore envoyer {left}. Un nouveau mois commence le {date}.
        </Trans>
      )}
    </Notice>
  )
}
