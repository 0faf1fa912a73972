import { VELOCITY_LIMIT_EUR_CENTS } from '../../domain/limits.ts'
import { money } from '../../domain/money.ts'
import type { VelocityCause } from '../../domain/payouts/deliveryOrder.ts'
import {
  liftPause,
  listPauses,
  OPERATOR_PAUSE_CAUSE,
  pauseForOperator,
} from '../../netlify/server/operations/pauses.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import { findVelocityHolds, releaseVelocityHolds } from '../../netlify/server/payouts/velocity.ts'
import { users } from '../../netlify/server/platform/records.ts'
import { formatAmount, formatTime } from './format.ts'

/** Describes what pauses a user's payments, and which of their transfers the daily limit holds. */
export async function showPerson(context: PayoutContext, uid: string): Promise<readonly string[]> {
  return (await describeAccounts(context, uid)) ?? unknownPerson(uid)
}

/**
 * Pauses a user's payments, ends those in progress, and prevents a deleted profile from being created again.
 */
export async function stopPerson(context: PayoutContext, uid: string): Promise<readonly string[]> {
  if (!(await describeAccounts(context, uid))) return unknownPerson(uid)
  await pauseForOperator(context, uid)
  return showPerson(context, uid)
}

/** Lifts every pause of a user's payments, and releases transfers held by the daily limit. */
export async function resumePayments(context: PayoutContext, uid: string): Promise<readonly string[]> {
  if (!(await describeAccounts(context, uid))) return unknownPerson(uid)
  await liftPause(context, uid)
  await releaseVelocityHolds(context, uid)
  return showPerson(context, uid)
}

const unknownPerson = (uid: string) => [`There is no user ${uid}: check that the ID is complete.`]

async function describeAccounts(context: PayoutContext, uid: string): Promise<readonly string[] | null> {
  const [account, profile, pauses, held] = await Promise.all([
    context.accounts.find(uid),
    users(context.db).doc(uid).get(),
    listPauses(context, uid),
    findVelocityHolds(context, uid),
  ])
  if (!account && !profile.exists && pauses.length === 0 && held.length === 0) return null
  const accountState = account?.isDisabled ? 'a disabled account' : 'an account'
  return [
    `${uid} has ${account ? accountState : 'no account'} and ${profile.exists ? 'a profile' : 'no profile'}.`,
    ...describePauses(pauses),
    ...held.map(
      ({ id, causes }) =>
        `${id} is held: more than ${MOST} in a day ${causes.map((cause) => BY[cause]).join(' and ')}.`,
    ),
  ]
}

const MOST = formatAmount(money(VELOCITY_LIMIT_EUR_CENTS, 'EUR'))
const BY: Readonly<Record<VelocityCause, string>> = {
  velocityOfPerson: 'by this user',
  velocityOfCard: 'with this card',
  velocityOfRecipient: 'to this number',
}

function describePauses(pauses: Awaited<ReturnType<typeof listPauses>>): string[] {
  const open = [...new Set(pauses.flatMap((pause) => pause.open))]
  const lifted = [...new Set(pauses.flatMap((pause) => pause.lifted))]
  const since = Math.min(...pauses.flatMap((pause) => pause.since ?? []))
  return [
    open.length > 0
      ? `Payments have been paused since ${formatTime(since)} by ${open.map(describeCause).join(', ')} (${pauses.length} documents in restrictions).`
      : 'Their payments are not paused.',
    ...(lifted.length > 0 ? [`Lifted: ${lifted.map(describeCause).join(', ')}.`] : []),
  ]
}

const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/^(du|dp)_/, 'the dispute'],
  [/^issfr_/, 'the fraud warning'],
  [/^prv_/, 'the review'],
]

function describeCause(cause: string): string {
  if (cause === OPERATOR_PAUSE_CAUSE) return 'an operator'
  const kind = CAUSES.find(([pattern]) => pattern.test(cause))?.[1]
  return kind ? `${kind} ${cause}` : cause
}
