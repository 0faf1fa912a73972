import type Stripe from 'stripe'
import { MINUTE } from '../../domain/common/duration.ts'

/** How far Stripe's clock and ours may differ. */
const CLOCK_SKEW = 5 * MINUTE
const PAGE_SIZE = 100

interface ListParams {
  readonly limit: number
  readonly created: { readonly gte: number; readonly lte: number }
  readonly starting_after?: string
}

/** `since`, `until`: UTC ms. Newest first. */
export async function* listStripePages<T extends { readonly id: string }>(
  list: (params: ListParams) => Promise<Pick<Stripe.ApiList<T>, 'data' | 'has_more'>>,
  since: number,
  until: number,
) {
  const created = {
    gte: Math.max(0, Math.floor((since - CLOCK_SKEW) / 1000)),
    lte: Math.ceil((until + CLOCK_SKEW) / 1000),
  }
  let after: string | undefined
  do {
    const { data, has_more: hasMore } = await list({
      limit: PAGE_SIZE,
      created,
      ...(after !== undefined && { starting_after: after }),
    })
    yield data
    after = hasMore ? data.at(-1)?.id : undefined
  } while (after !== undefined)
}
