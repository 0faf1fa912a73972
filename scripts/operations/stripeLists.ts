import { MINUTE } from '../../domain/common/duration.ts'

/** How far Stripe's clock and ours may differ. */
const CLOCK_SKEW = 5 * MINUTE

/** Parameters of a list at Stripe. `since`, `until`: UTC ms. */
export const buildListParams = (since: number, until: number) => ({
  limit: 100,
  created: {
    gte: Math.max(0, Math.floor((since - CLOCK_SKEW) / 1000)),
    lte: Math.ceil((until + CLOCK_SKEW) / 1000),
  },
})
