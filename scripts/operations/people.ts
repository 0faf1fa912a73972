import { money } from '../../domain/money/money.ts'
import type { VelocityCause } from '../../domain/payouts/deliveryOrder.ts'
import type { ScreeningHit } from '../../domain/payouts/screening.ts'
import { MONTHLY_CAP_EUR_CENTS, VELOCITY_LIMIT_EUR_CENTS } from '../../domain/prices/limits.ts'
import {
  liftPause,
  listPauses,
  OPERATOR_PAUSE_CAUSE,
  pauseForOperator,
} from '../../netlify/server/events/pauses.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import { decideCase, findCases, type ScreeningCase } from '../../netlify/server/payouts/screening/cases.ts'
import { findVelocityHolds, releaseVelocityHolds } from '../../netlify/server/payouts/velocity.ts'
import { users } from '../../netlify/server/platform/records.ts'
import { CommandError } from './commandError.ts'
import { describeOrderState } from './deliveries.ts'
import { formatAmount, formatTime } from './format.ts'

/** Also prevents a deleted profile from being created again. */
export async function stopPerson(context: PayoutContext, uid: string): Promise<readonly string[]> {
  await showPerson(context, uid)
  await pauseForOperator(context, uid)
  return showPerson(context, uid)
}

/** Also releases transfers held by the limits of a day or a month. */
export async function resumePayments(context: PayoutContext, uid: string): Promise<readonly string[]> {
  await showPerson(context, uid)
  await liftPause(context, uid)
  await releaseVelocityHolds(context, uid)
  return showPerson(context, uid)
}

/** The next promised answer comes first. */
export async function listCases(context: PayoutContext): Promise<readonly string[]> {
  const cases = await findCases(context)
  return cases.length > 0
    ? cases.flatMap((one) => describeCase(one, context.now()))
    : ['The list of sanctions holds no transfer.']
}

function describeCase({ id, order }: ScreeningCase, now: number): readonly string[] {
  const { uid, senderName, recipientName, phone, amount, screening, holds } = order
  const answerBy = screening?.answerBy ?? now
  const late = answerBy <= now ? ', which is over' : ''
  const names = `${senderName ?? 'a sender without a name'} (user ${uid}) to ${recipientName ?? 'a recipient without a name'} (${phone})`
  return [
    `${id}: ${formatAmount(amount)} from ${names}. Answer promised by ${formatTime(answerBy)}${late}.`,
    ...(holds.includes('screening')
      ? (screening?.hits ?? []).map(describeHit)
      : ["  Not searched for yet, because the list can't be used."]),
  ]
}

const describeHit = ({ who, entry, name, birthDates }: ScreeningHit) =>
  `  The ${who} has a name like ${name} (${entry}, ${birthDates.length > 0 ? `born ${birthDates.join(' or ')}` : 'no birth date'}).`

export const releaseCase = (context: PayoutContext, id: string) => decide(context, id, 'release')

export const refuseCase = (context: PayoutContext, id: string) => decide(context, id, 'refuse')

async function decide(context: PayoutContext, id: string, decision: 'release' | 'refuse') {
  const update = await decideCase(context, id, decision)
  if (!update) return { lines: [`${id} has no delivery order: check the ID.`], isBad: true }
  const { isTaken, order } = update
  const answer = isTaken ? 'Done.' : 'Nothing was changed: it waits for no such decision.'
  return { lines: [answer, `${id}: ${await describeOrderState(context, order)}.`], isBad: !isTaken }
}

/** @throws CommandError for an unknown user */
export async function showPerson(context: PayoutContext, uid: string): Promise<readonly string[]> {
  const [account, profile, pauses, held] = await Promise.all([
    context.accounts.find(uid),
    users(context.db).doc(uid).get(),
    listPauses(context, uid),
    findVelocityHolds(context, uid),
  ])
  if (!account && !profile.exists && pauses.length === 0 && held.length === 0)
    throw new CommandError(`There is no user ${uid}: check that the ID is complete.`)
  const accountState = account?.isDisabled ? 'a disabled account' : 'an account'
  return [
    `${uid} has ${account ? accountState : 'no account'} and ${profile.exists ? 'a profile' : 'no profile'}.`,
    ...describePauses(pauses),
    ...held.map(({ id, causes }) => `${id} is held: ${describeVelocity(causes)}.`),
  ]
}

const A_DAY = `more than ${formatAmount(money(VELOCITY_LIMIT_EUR_CENTS, 'EUR'))} in a day`
const A_MONTH = `more than ${formatAmount(money(MONTHLY_CAP_EUR_CENTS, 'EUR'))} in a month`
const UNPROVEN = 'more in a month than without an approved document'
const VELOCITIES: Readonly<Record<VelocityCause, readonly [amount: string, by: string]>> = {
  velocityOfPerson: [A_DAY, 'by this user'],
  velocityOfCard: [A_DAY, 'with this card'],
  velocityOfRecipient: [A_DAY, 'to this number'],
  capOfCard: [A_MONTH, 'with this card'],
  identityOfCard: [UNPROVEN, 'with this card'],
  identityOfRecipient: [UNPROVEN, 'to this number'],
}

const describeVelocity = (causes: readonly VelocityCause[]): string =>
  [...Map.groupBy(causes, (cause) => VELOCITIES[cause][0])]
    .map(([amount, some]) => `${amount} ${some.map((cause) => VELOCITIES[cause][1]).join(' and ')}`)
    .join('; ')

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
