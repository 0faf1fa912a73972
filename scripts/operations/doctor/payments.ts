import { HOUR } from '../../../domain/duration.ts'
import { TOKENS_OUTLIVE } from '../../../netlify/server/endpoints/deleteAccount.ts'
import { ATTEMPT_LIFETIME, withCheck, withStatus } from '../../../netlify/server/endpoints/sweep.ts'
import { restrictions } from '../../../netlify/server/payments/mayPay.ts'
import {
  paymentsState,
  unknownAmong,
  unknownPayments,
  type WhyClosed,
} from '../../../netlify/server/platform/closing.ts'
import { isAttemptIntent } from '../../../netlify/server/platform/metadata.ts'
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

const REBUILD = 'Rebuild the records: npm run ops -- payments rebuild (docs/running.md, Restoring).'
const CLOSED: Record<WhyClosed, readonly [because: string, remedy: string]> = {
  unknownPayment: ['Stripe has payments that the database does not know', REBUILD],
  unknownPlan: ['Stripe has a plan that the database does not know', REBUILD],
  rebuilding: ['the records are being rebuilt', REBUILD],
  byHand: [
    'somebody closed them by hand',
    'Open them when it is time: npm run ops -- payments open (docs/running.md, Closing payments).',
  ],
}

async function checkPayments({ context }: Subject): Promise<readonly Finding[]> {
  const [{ closed }, unknown, latest] = await Promise.all([
    paymentsState(context),
    unknownPayments(context.db).limit(100).get(),
    context.stripe.paymentIntents.list({ limit: 100 }),
  ])
  const ours = latest.data.filter((intent) => isAttemptIntent(context, intent))
  const missing = new Set(unknown.docs.map(({ id }) => id))
  for (const { id } of await unknownAmong(context, ours)) missing.add(id)
  const findings: Finding[] = []
  if (closed) {
    const [because, remedy] = CLOSED[closed.why]
    findings.push(bad(`Nobody can pay since ${formatTime(closed.since)}: ${because}.`, remedy))
  } else findings.push(good('Payments are open.'))
  if (missing.size > 0)
    findings.push(
      bad(
        `The database knows no attempt for ${[...missing].join(', ')}.`,
        `${REBUILD} One that stays after that: npm run ops -- explain.`,
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
