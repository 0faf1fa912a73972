import { type Currency, money } from '../../../domain/money/money.ts'
import { getRate, toDecimalRate } from '../../../domain/money/rates.ts'
import { DESTINATIONS } from '../../../domain/numbers/destinations.ts'
import { getWallets } from '../../../domain/numbers/wallets.ts'
import type { WalletTariff } from '../../../domain/prices/walletTariffsSchema.ts'
import type { ReferenceRate, Settings } from '../../../netlify/server/platform/settings.ts'
import { formatAmount } from '../format.ts'
import { buildGoodFinding, buildWarning, type Finding } from './findings.ts'

/** The last known official rate (financial-guinea.info). */
const KNOWN_RATE: ReferenceRate = { gnf: 10_063.85, date: '2025-08-08' }

/** Without the operator's settings, the specification's rate is all there is. */
export function checkWallets({
  walletTariffs,
  referenceRate,
}: Pick<Settings, 'walletTariffs' | 'referenceRate'>): readonly Finding[] {
  const tariffs = DESTINATIONS.flatMap(({ code, currency }) =>
    getWallets(code).flatMap(({ id, name }) => describeTariff(name, currency, walletTariffs[id])),
  )
  if (tariffs.length === 0 && !referenceRate) return []
  return [...tariffs.map((said) => buildGoodFinding(said)), checkFixedRate(referenceRate ?? KNOWN_RATE)]
}

function describeTariff(name: string, currency: Currency, tariff: WalletTariff | undefined): string[] {
  if (!tariff) return []
  const { since, limit, cashOut } = tariff
  return [
    ...(limit === undefined
      ? []
      : [
          `${name} takes at most ${formatAmount(money(limit, currency))} in one transfer, by its tariff of ${since} (VITE_WALLET_TARIFFS).`,
        ]),
    ...(cashOut
      ? [`The form shows what remains after a cash-out of ${name}, by its tariff of ${since}.`]
      : []),
  ]
}

/** In EUR. */
export const computeRateLoss = ({ gnf }: Pick<ReferenceRate, 'gnf'>): number =>
  (toDecimalRate(getRate('EUR', 'GNF')) / gnf - 1) * 100

function checkFixedRate(reference: ReferenceRate): Finding {
  const loss = computeRateLoss(reference)
  const fixed = formatAmount(money(toDecimalRate(getRate('EUR', 'GNF')), 'GNF'))
  const market = `${reference.gnf.toLocaleString('en')} of ${reference.date}`
  return loss > 0
    ? buildWarning(
        `The fixed rate of ${fixed} for 1 EUR loses ${loss.toFixed(1)} % against the rate of ${market}: paying out 100 EUR costs ${(100 + loss).toFixed(2)} EUR.`,
        'What this costs: docs/scale.md, The fixed rate. Set the present rate in REFERENCE_RATE_GNF.',
      )
    : buildGoodFinding(`The fixed rate of ${fixed} for 1 EUR loses nothing against the rate of ${market}.`)
}
