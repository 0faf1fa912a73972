import { Trans } from '@lingui/react/macro'
import { formatDay } from '../../../domain/common/month.ts'
import { formatMoney, type Money } from '../../../domain/money/money.ts'
import type { WalletTariff } from '../../../domain/prices/walletTariffsSchema.ts'
import { estimateAmountInHand } from '../../../domain/transfers/walletTariffs.ts'
import { markUntranslated } from '../../ui/markUntranslated.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './CashOut.module.css'

export function CashOut({
  received,
  cashOut,
  since,
}: {
  received: Money
  cashOut: NonNullable<WalletTariff['cashOut']>
  since: WalletTariff['since']
}) {
  const language = useLanguage()
  const inHand = estimateAmountInHand(received, cashOut)
  if (!inHand) return null
  const amount = markUntranslated(formatMoney(inHand, language))
  const date = formatDay(Date.parse(since), language)
  return (
    <span className={classes.inHand}>
      <Trans>
        Environ {amount} en main après le retrait (tarif du {date})
      </Trans>
    </span>
  )
}
