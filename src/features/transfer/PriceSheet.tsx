import { Trans, useLingui } from '@lingui/react/macro'
import { Button, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatWait } from '../../../domain/common/wait.ts'
import { formatMoney } from '../../../domain/money/money.ts'
import { formatRate } from '../../../domain/money/rates.ts'
import type { Quote } from '../../../domain/prices/quote.ts'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { CouponIcon } from '../../ui/icons/navigation.ts'
import { useFeeReason } from '../../ui/quote/useFeeReason.ts'
import { Sheet } from '../../ui/Sheet.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'

/** Specification, sections 4 and 5. */
export function PriceSheet({
  quote,
  least,
  isPlanRead,
  minutes,
  inHand,
  coupon,
  couponProblem,
  isClosed,
  capLeft,
  onCoupon,
  onLeaveCoupon,
  onClose,
}: {
  quote: Quote | null
  least: Quote
  /** The user's plan decides the fee. */
  isPlanRead: boolean
  /** Null if the time is only estimated. */
  minutes: number | null
  inHand: ReactNode
  coupon: string
  couponProblem: string | undefined
  isClosed: boolean
  capLeft: ReactNode
  onCoupon: (coupon: string) => void
  onLeaveCoupon: () => void
  onClose: () => void
}) {
  const { t } = useLingui()
  const language = useLanguage()
  const { fee, feeRule } = quote ?? least
  const reason = useFeeReason(feeRule, coupon)
  const isFeeKnown = isPlanRead && (quote !== null || feeRule !== 'default')
  return (
    <Sheet
      title={<Trans>Le prix</Trans>}
      onClose={onClose}
      foot={
        <Button variant="light" onClick={onClose}>
          <Trans>Revenir au transfert</Trans>
        </Button>
      }
    >
      <Facts>
        {quote && (
          <Fact label={<Trans>Vous payez</Trans>}>
            <strong>{formatMoney(quote.gross, language)}</strong>
          </Fact>
        )}
        {isFeeKnown ? (
          <Fact label={<Trans>Frais, {reason}</Trans>}>{formatMoney(fee, language)}</Fact>
        ) : (
          <Fact label={<Trans>Frais</Trans>}>{isPlanRead ? reason : <Trans>lecture du forfait…</Trans>}</Fact>
        )}
        {quote && <Fact label={<Trans>Montant envoyé</Trans>}>{formatMoney(quote.net, language)}</Fact>}
        <Fact label={<Trans>Taux de change</Trans>}>{formatRate(least.rate, language)}</Fact>
        {quote && (
          <Fact label={<Trans>À recevoir</Trans>} more={inHand}>
            <strong>{formatMoney(quote.converted, language)}</strong>
          </Fact>
        )}
        <Fact label={<Trans>Arrivée prévue</Trans>}>
          {minutes === null ? (
            <Trans>dans 1 h environ</Trans>
          ) : (
            <Trans>au plus tard dans {formatWait(minutes * 60, language)}</Trans>
          )}
        </Fact>
        <Fact label={<Trans>Il vous reste ce mois-ci</Trans>}>{capLeft}</Fact>
      </Facts>
      <TextInput
        name="coupon"
        label={t`Code promo (facultatif)`}
        leftSection={<CouponIcon />}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        data-autofocus={couponProblem ? true : undefined}
        value={coupon}
        readOnly={isClosed}
        onChange={(event) => onCoupon(event.currentTarget.value)}
        onBlur={onLeaveCoupon}
        error={couponProblem}
        maxLength={40}
      />
    </Sheet>
  )
}
