import { HOUR } from '../../../domain/duration.ts'
import { TOKENS_OUTLIVE } from '../../../netlify/server/endpoints/deleteAccount.ts'
import { ATTEMPT_LIFETIME, withCheck, withStatus } from '../../../netlify/server/endpoints/sweep.ts'
import { listUnknownPayments } from '../../../netlify/server/operations/unknownPayments.ts'
import { restrictions } from '../../../netlify/server/payments/mayPay.ts'
import { paymentsState } from '../../../netlify/server/platform/closing.ts'
import { attempts, customers, deletions, refunds } from '../../../netlify/server/platform/records.ts'
import { formatTime } from '../format.ts'
import { bad, type Check, type Finding, good, type Subject } from './findings.ts'

export const paymentChecks: readonly Check[] = [
  ['The database', checkSweep],
  ['The payments', checkPayments],
  ['The people', checkPauses],
]

/** The sweep runs every 15 minutes. */
export const SWEEP_LATE = HOUR

/** Finds work that the sweep should have done by now. */
async function checkSweep({ context }: Subject): Promise<readonly Finding[]> {
  const { db, now } = context
  const late = now() - SWEEP_LATE
  const [owed, ...overdue] = await Promise.all([
    withStatus(refunds(db), 'due', late).limit(100).get(),
    withCheck(refunds(db), late).limit(1).get(),
    withStatus(attempts(db), 'reserved', late - ATTEMPT_LIFETIME)
      .limit(1)
      .get(),
    withCheck(customers(db), late).limit(1).get(),
    withStatus(deletions(db), 'due', late - TOKENS_OUTLIVE)
      .limit(1)
      .get(),
  ])
  // A refund that has begun may wait for the bank for days.
  const isBegun = owed.docs.every((debt) => debt.get('refundId') !== null)
  return [
    good('The database answers the service account.'),
    isBegun && overdue.every(({ empty }) => empty)
      ? good('Nothing waits for the sweep for longer than it should.')
      : bad(
          'Payments, refunds, plans or deletions wait for the sweep for more than an hour.',
          "See in Netlify, Logs, Functions, whether 'sweep' is scheduled and what it says: docs/running.md, The sweep.",
        ),
  ]
}

async function checkPayments({ context }: Subject): Promise<readonly Finding[]> {
  const [{ closedSince }, unknown, latest] = await Promise.all([
    paymentsState(context),
    listUnknownPayments(context),
    context.stripe.paymentIntents.list({ limit: 100 }),
  ])
  const findings = [
    closedSince === null
      ? good('Payments are open.')
      : bad(
          `Payments are closed since ${formatTime(closedSince)}.`,
          'Open them when it is time: npm run ops -- payments open (docs/running.md, Closing payments).',
        ),
  ]
  if (unknown.length > 0)
    findings.push(
      bad(
        `The database does not know ${unknown.map(({ paymentIntentId }) => paymentIntentId).join(', ')}.`,
        'Decide about them: npm run ops -- unknown-payments list (docs/running.md, Unknown payments).',
      ),
    )
  const others = new Set(latest.data.map(({ metadata }) => metadata.deployment ?? context.deployment))
  others.delete(context.deployment)
  if (others.size > 0)
    findings.push(
      good(`The Stripe account also has payments of ${[...others].join(', ')}, which are left alone.`),
    )
  return findings
}

async function checkPauses({ context }: Subject): Promise<readonly Finding[]> {
  const paused = await restrictions(context.db).where('since', '>', 0).get()
  const users = new Set(paused.docs.map((document) => document.get('uid')))
  return [good(`Payments are paused for ${users.size} users.`)]
}
