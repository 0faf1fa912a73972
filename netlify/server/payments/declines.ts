import { parseAttempt } from '../platform/documents.ts'
import { type AttemptIntent, personsIn } from '../platform/metadata.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { personKeysOf } from '../platform/persons.ts'
import { attempts } from '../platform/records.ts'
import { computeDeclineWait, DECLINES_COUNT_FOR, type Declines, declines, parseDeclines } from './mayPay.ts'
import { release } from './release.ts'

/** A person who mistypes has another card by then. */
const MOST_OF_ATTEMPT = 5

/**
 * Counts the charges of a payment that a card refused, each once, under every name of the person. After five of them the attempt
 * ends, and the person begins another; after ten within a day no payment begins, and this one ends too. The provider is asked
 * for all of them, so none is missed that nobody told of.
 *
 * @throws a hosted service's error; calling again is safe.
 */
export async function followDeclines(context: PaymentContext, intent: AttemptIntent): Promise<void> {
  const { db, stripe, now } = context
  const { data } = await stripe.charges.list({ payment_intent: intent.id, limit: 100 })
  const refused = data.filter(({ status }) => status === 'failed')
  if (refused.length === 0) return
  const { attemptKey: key, uid } = intent.metadata
  const refs = (await personKeysOf(context, uid, personsIn(intent))).map((name) => declines(db).doc(name))
  const attempt = attempts(db).doc(key)
  const isPaused = await db.runTransaction(async (tx) => {
    const stored = await tx.getAll(...refs)
    const counts = stored.map((one) => withCharges(parseDeclines(one)))
    for (const [i, ref] of refs.entries()) {
      const count = counts[i]
      if (count && Object.keys(count.at).length > 0) tx.set(ref, count)
    }
    return counts.some((count) => computeDeclineWait(count, now()) > 0)
  })
  if (!isPaused && refused.length < MOST_OF_ATTEMPT) return
  const promised = parseAttempt(await attempt.get())
  if (promised?.status === 'reserved') await release(context, { key, attempt: promised })

  function withCharges(count: Declines | undefined): Declines {
    const all = { ...count?.at, ...Object.fromEntries(refused.map((one) => [one.id, one.created * 1000])) }
    const at = Object.fromEntries(
      Object.entries(all).filter(([, instant]) => instant > now() - DECLINES_COUNT_FOR),
    )
    return { at, endsAt: Math.max(now(), ...Object.values(at)) + DECLINES_COUNT_FOR }
  }
}
