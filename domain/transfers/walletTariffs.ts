import { err, ok, type Result } from '../common/result.ts'
import { divideHalfUp, type Money, money, type SourceCurrency } from '../money/money.ts'
import type { ReceivingMethod } from '../numbers/wallets.ts'
import { computeGross, type Quote, type QuoteTerms } from '../prices/quote.ts'
import type { WalletTariff, WalletTariffs } from '../prices/walletTariffsSchema.ts'

export type WalletLimitProblem = {
  readonly kind: 'walletLimitExceeded'
  readonly wallet: ReceivingMethod
  readonly limit: Money
  /** The largest amount to pay with which no more arrives. */
  readonly fits: Money<SourceCurrency>
}

/** The limit itself is accepted. */
export function checkWalletLimit(
  quote: Quote,
  wallet: ReceivingMethod | null,
  terms: QuoteTerms,
  tariffs: WalletTariffs = {},
): Result<Quote, WalletLimitProblem> {
  const { gross, converted } = quote
  const limit = wallet && tariffs[wallet]?.limit
  if (!wallet || !limit || converted.minor <= limit) return ok(quote)
  const tooMuch = computeGross(money(limit + 1, converted.currency), gross.currency, terms)
  return err({
    kind: 'walletLimitExceeded',
    wallet,
    limit: money(limit, converted.currency),
    fits: money(tooMuch.minor - 1, gross.currency),
  })
}

/** A low estimate: the fee is that of the whole amount. Null above the tariff's steps. */
export function estimateAmountInHand(
  received: Money,
  cashOut: NonNullable<WalletTariff['cashOut']>,
): Money | null {
  const fee =
    'percent' in cashOut
      ? divideHalfUp(received.minor * Math.round(cashOut.percent * 100), 10_000)
      : cashOut.steps.find(({ upTo }) => received.minor <= upTo)?.fee
  return fee === undefined || fee >= received.minor ? null : money(received.minor - fee, received.currency)
}
