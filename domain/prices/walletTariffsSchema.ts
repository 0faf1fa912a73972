import * as v from 'valibot'
import { day, finiteNumber, integer, type Output } from '../common/schema.ts'
import { type Currency, SOURCE_CURRENCIES } from '../money/money.ts'
import { convertMoney } from '../money/rates.ts'
import { DESTINATIONS } from '../numbers/destinations.ts'
import { getWallets, type ReceivingMethod } from '../numbers/wallets.ts'
import { getTransferLimits } from './limits.ts'

/** Built lazily: an app without the setting omits it. A limit below the minimum would close the wallet. */
function buildTariffSchema(currency: Currency) {
  const percent = v.pipe(
    finiteNumber,
    v.gtValue(0),
    v.maxValue(50),
    v.check((value) => Math.round(value * 100) / 100 === value),
  )
  const positive = v.pipe(integer, v.gtValue(0))
  const steps = v.pipe(
    v.array(v.strictObject({ upTo: positive, fee: positive })),
    v.nonEmpty(),
    v.check((all) => all.every(({ upTo, fee }, index) => fee < upTo && upTo > (all[index - 1]?.upTo ?? 0))),
  )
  const cashOut = v.union([v.strictObject({ percent }), v.strictObject({ steps })])
  const least = SOURCE_CURRENCIES.map((from) => convertMoney(getTransferLimits(from).min, currency).minor)
  return v.pipe(
    v.strictObject({ since: day, limit: v.exactOptional(integer), cashOut: v.exactOptional(cashOut) }),
    v.check(({ limit }) => limit === undefined || limit >= Math.max(...least)),
  )
}

/** Minor units of the wallet's currency. `steps` ascend. `since`: the day of this tariff. */
export type WalletTariff = Output<ReturnType<typeof buildTariffSchema>>

export type WalletTariffs = { readonly [Wallet in ReceivingMethod]?: WalletTariff }

const buildWalletsSchema = (): v.GenericSchema<unknown, WalletTariffs> =>
  v.strictObject(
    Object.fromEntries(
      DESTINATIONS.flatMap(({ code, currency }) =>
        getWallets(code).map(({ id }) => [id, v.exactOptional(buildTariffSchema(currency))]),
      ),
    ),
  )

/** `VITE_WALLET_TARIFFS`: a JSON text, described in `docs/deploying.md`. */
export const walletTariffsSchema = v.config(
  v.pipe(
    v.string(),
    v.parseJson(),
    v.check((value) => !Array.isArray(value)),
    v.lazy(buildWalletsSchema),
  ),
  {
    abortEarly: true,
    message: 'must be the limits and cash-out tariffs of wallets as JSON: docs/deploying.md, Settings',
  },
)
