import { isEngineSupported } from '../../../domain/errors/engines.ts'
import { listRecentErrors } from '../../../netlify/server/endpoints/errorCounts.ts'
import { readPaymentsState } from '../../../netlify/server/payments/paymentsState.ts'
import { restrictions } from '../../../netlify/server/payments/restrictions.ts'
import { findOverdue, WAIT_KINDS } from '../../../netlify/server/payouts/waits.ts'
import { formatTime } from '../format.ts'
import { listUnknownPayments } from '../unknownPayments.ts'
import {
  buildBadFinding,
  buildGoodFinding,
  type DoctorCheck,
  type DoctorSubject,
  type Finding,
  reportFindings,
} from './findings.ts'

export const paymentChecks: readonly DoctorCheck[] = [
  ['The database', checkWaits],
  ['The payments', checkPayments],
  ['The paused users', checkPauses],
  ['The errors of the app', checkErrors],
]

export async function* checkWaits({ context }: Pick<DoctorSubject, 'context'>) {
  const overdue = await Promise.all(WAIT_KINDS.map((kind) => findOverdue(context, kind)))
  yield buildGoodFinding('The service account can read the database.')
  yield* reportFindings(
    overdue.map((one) => one && buildBadFinding(one.said, one.remedy)),
    `Nothing has waited longer than it may (${WAIT_KINDS.length} kinds of waiting).`,
  )
}

async function* checkPayments({ context }: DoctorSubject) {
  const [{ closedSince }, unknown, latest] = await Promise.all([
    readPaymentsState(context),
    listUnknownPayments(context),
    context.stripe.paymentIntents.list({ limit: 100 }),
  ])
  yield closedSince === null
    ? buildGoodFinding('Payments are open.')
    : buildBadFinding(
        `Payments have been closed since ${formatTime(closedSince)}.`,
        'When you are ready to open them: npm run ops -- payments open (docs/running.md, Closing payments).',
      )
  if (unknown.length > 0)
    yield buildBadFinding(
      `The database does not know ${unknown.map(({ id }) => id).join(', ')}.`,
      'Decide whether to refund them: npm run ops -- unknown-payments list (docs/running.md, Unknown payments).',
    )
  const others = new Set(latest.data.map(({ metadata }) => metadata.deployment ?? context.deployment))
  others.delete(context.deployment)
  if (others.size > 0)
    yield buildGoodFinding(
      `The Stripe account also has payments of ${[...others].join(', ')}, which this deployment ignores.`,
    )
}

async function* checkPauses({ context }: DoctorSubject) {
  const paused = await restrictions(context.db).where('since', '>', 0).get()
  const users = new Set(paused.docs.flatMap((document) => document.get('uid') || []))
  yield buildGoodFinding(`Payments are paused for ${users.size} users.`)
}

const NAMED_ERRORS = 5

/** Reports no problem, because anyone can send errors. Unsupported browsers prove no fault of the app. */
async function* checkErrors({ context }: DoctorSubject) {
  const all = await listRecentErrors(context)
  const old = all.filter(({ engine }) => !isEngineSupported(engine))
  const unsupported = old.map(({ count, engine }) => `${count} × ${engine}`)
  yield checkSupportedErrors(all.filter((error) => !old.includes(error)))
  if (old.length > 0)
    yield buildGoodFinding(
      `Browsers that the app does not support have reported errors since yesterday: ${unsupported.join('; ')}.`,
    )
}

function checkSupportedErrors(errors: Awaited<ReturnType<typeof listRecentErrors>>): Finding {
  if (errors.length === 0) return buildGoodFinding('The app has reported no error since yesterday.')
  const total = errors.reduce((sum, { count }) => sum + count, 0)
  const named = errors
    .slice(0, NAMED_ERRORS)
    .map(({ count, ...error }) =>
      [`${count} × ${error.name}`, error.kind, error.place, error.release, error.engine]
        .filter(Boolean)
        .join(', '),
    )
  return buildGoodFinding(
    `The app has reported ${total} errors since yesterday: ${named.join('; ')}.`,
    "All of them are in the log of the function 'report-error' (docs/running.md, Alerts).",
  )
}
