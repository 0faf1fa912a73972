import { BY_OPERATOR, liftPause, pausePaying, pausesOf } from '../../netlify/server/operations/pauses.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import { users } from '../../netlify/server/platform/records.ts'

export const ORDERS = ['show', 'stop', 'resume'] as const
export type Order = (typeof ORDERS)[number]

/**
 * Stops a person's payments, lets them go on, or says what pauses them; answers in sentences. `stop` also ends what is begun
 * and keeps a deleted profile from being made again. Times are in UTC.
 *
 * @throws a hosted service's error; doing it again is safe.
 */
export async function people(context: Context, order: Order, uid: string): Promise<readonly string[]> {
  const [account, profile] = await Promise.all([context.accounts.find(uid), users(context.db).doc(uid).get()])
  const known = (await pausesOf(context, uid)).length > 0
  if (!account && !profile.exists && !known) return [`Nobody knows ${uid}: see that the id is whole.`]
  if (order === 'stop') await pausePaying(context, uid, BY_OPERATOR)
  if (order === 'resume') await liftPause(context, uid)
  return [
    `${uid} has ${accountLine(account)} and ${profile.exists ? 'a profile' : 'no profile'}.`,
    ...pauseLines(await pausesOf(context, uid)),
  ]
}

function accountLine(account: Awaited<ReturnType<Context['accounts']['find']>>): string {
  if (!account) return 'no account any more'
  return account.isDisabled ? 'an account that is disabled' : 'an account'
}

function pauseLines(pauses: Awaited<ReturnType<typeof pausesOf>>): string[] {
  const open = [...new Set(pauses.flatMap((pause) => pause.open))]
  const lifted = [...new Set(pauses.flatMap((pause) => pause.lifted))]
  const since = Math.min(...pauses.flatMap((pause) => pause.since ?? []))
  const names = `under ${pauses.length} of their names`
  return [
    open.length > 0
      ? `Paying is paused since ${new Date(since).toISOString()}, ${names}: ${open.map(inWords).join(', ')}.`
      : 'Nothing pauses their payments.',
    ...(lifted.length > 0 ? [`Lifted: ${lifted.map(inWords).join(', ')}.`] : []),
  ]
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(du|dp)_/, 'the dispute'],
  [/^issfr_/, 'the fraud warning'],
  [/^prv_/, 'the review'],
]

function inWords(cause: string): string {
  if (cause === BY_OPERATOR) return 'an operator'
  const kind = KINDS.find(([pattern]) => pattern.test(cause))?.[1]
  return kind ? `${kind} ${cause}` : cause
}
