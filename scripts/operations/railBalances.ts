import type { Money } from '../../domain/money/money.ts'
import type { PayoutProvider } from '../../netlify/server/payouts/providers/provider.ts'

export interface RailBalance {
  /** The provider's. */
  readonly name: string
  /** Null if the provider does not return it. */
  readonly balance: Money | null
}

/** The balances of our accounts at the providers that have an API. */
export const fetchRailBalances = (providers: readonly PayoutProvider[]): Promise<readonly RailBalance[]> =>
  Promise.all(
    providers.flatMap(({ name, api }) =>
      api ? [api.balance('GNF').then((balance) => ({ name, balance }))] : [],
    ),
  )
