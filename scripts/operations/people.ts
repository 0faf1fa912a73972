import { BY_OPERATOR, liftPause, pausePaying, pausesOf } from '../../netlify/server/operations/pauses.ts'
import type { PaymentContext } from '../../netlify/server/platform/payouts.ts'
import { users } from '../../netlify/server/platform/records.ts'
import { formatTime } from './format.ts'

/** Describes what pauses a person's payments. */
export async function showPerson(context: PaymentContext, uid: string): Promise<readonly string[]> {
  return (await describeAccounts(context, uid)) ?? unknownPerson(uid)
}

/** Pauses a person's payments, ends what they have begun, and keeps a deleted profile from being made again. */
export async function stopPerson(context: PaymentContext, uid: string): Promise<readonly string[]> {
  if (!(await describeAccounts(context, uid))) return unknownPerson(uid)
  await pausePaying(context, uid, BY_OPERATOR)
  return showPerson(context, uid)
}

/** Lifts every pause of a person's payments. */
export async function resumePerson(context: PaymentContext, uid: string): Promise<readonly string[]> {
  if (!(await describeAccounts(context, uid))) return unknownPerson(uid)
  await liftPause(context, uid)
  return showPerson(context, uid)
}

const unknownPerson = (uid: string) => [`Nobody knows ${uid}: see that the id is whole.`]

async function describeAccounts(context: PaymentContext, uid: string): Promise<readonly string[] | null> {
  const [account, profile, pauses] = await Promise.all([
    context.accounts.find(uid),
    users(context.db).doc(uid).get(),
    pausesOf(context, uid),
  ])
  if (!account && !profile.exists && pauses.length === 0) return null
  const accountState = account?.isDisabled ? 'an account that is disabled' : 'an account'
  return [
    `${uid} has ${account ? accountState : 'no account any more'} and ${profile.exists ? 'a profile' : 'no profile'}.`,
    ...describePauses(pauses),
  ]
}

function describePauses(pauses: Awaited<ReturnType<typeof pausesOf>>): string[] {
  const open = [...new Set(pauses.flatMap((pause) => pause.open))]
  const lifted = [...new Set(pauses.flatMap((pause) => pause.lifted))]
  const since = Math.min(...pauses.flatMap((pause) => pause.since ?? []))
  return [
    open.length > 0
      ? `Paying is paused since ${formatTime(since)}, under ${pauses.length} of their names: ${open.map(describeCause).join(', ')}.`
      : 'Nothing pauses their payments.',
    ...(lifted.length > 0 ? [`Lifted: ${lifted.map(describeCause).join(', ')}.`] : []),
  ]
}

const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/^(du|dp)_/, 'the dispute'],
  [/^issfr_/, 'the fraud warning'],
  [/^prv_/, 'the review'],
]

function describeCause(cause: string): string {
  if (cause === BY_OPERATOR) return 'an operator'
  const kind = CAUSES.find(([pattern]) => pattern.test(cause))?.[1]
  return kind ? `${kind} ${cause}` : cause
}
