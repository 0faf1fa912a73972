import type { DocumentSnapshot, Firestore, Transaction } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { finiteNumber, type Output } from '../../../domain/common/schema.ts'
import { buildPersonKeys } from '../accounts/persons.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { createDocumentParser, type KeyedAttempt } from '../platform/documents.ts'
import { findByIds } from '../platform/queryValues.ts'
import { buildRefusal, buildWaitRefusal, type Refusal } from '../platform/refusals.ts'
import { type Decline, listDeclines, toIncidents } from './declines.ts'
import { getRefusedUntil, type IncidentCounts, readIncidents } from './incidents.ts'
import { computeOpenAttemptsWait, readOpenAttempts } from './openAttempts.ts'

const restrictionSchema = v.object({
  /** Empty under the key of a card or a recipient. */
  uid: v.string(),
  /** `operator`, or the ID of a dispute, a warning or a review at Stripe. */
  open: v.array(v.string()),
  lifted: v.array(v.string()),
  /** UTC ms; null if payments are not paused. */
  since: v.nullish(finiteNumber, null),
})

/** Kept after everything is lifted, so that a late webhook does not pause payments again. */
export type Restriction = Output<typeof restrictionSchema>
export const parseRestriction = createDocumentParser(restrictionSchema)

export const restrictions = (db: Firestore) => db.collection('restrictions')

interface CheckedParties {
  readonly untold?: readonly Decline[]
  readonly parties?: readonly string[]
}

/**
 * Reads inside the transaction that reserves, so that a pause and a new payment see each other. `untold`:
 * declines that may not have been counted yet. `parties`: keys of the saved cards and the recipient.
 */
export async function checkPaymentsAllowed(
  context: Context,
  tx: Transaction,
  caller: Caller,
  { untold = [], parties = [] }: CheckedParties = {},
): Promise<Result<readonly IncidentCounts[], Refusal<'paymentsPaused' | 'tooManyDeclines'>>> {
  const keys = buildPersonKeys(context, caller)
  const pauses = await findByIds(restrictions(context.db), keys, (query) => tx.get(query))
  if (hasOpenPause(pauses)) return err(buildRefusal('paymentsPaused'))
  const counted = await readIncidents(context, tx, [...keys, ...parties])
  // Strangers can test another person's card, so declines refuse by the person's keys only.
  const ofPerson = counted.slice(0, keys.length)
  const until = getRefusedUntil(ofPerson, 'decline', context.now(), toIncidents(untold))
  if (until === 0) return ok(counted)
  const retryAfterSeconds = Math.ceil((until - context.now()) / 1000)
  return err(buildRefusal('tooManyDeclines', { details: { retryAfterSeconds } }))
}

const INCIDENT_REFUSALS = {
  undeliverable: 'tooManyUndelivered',
  cancellation: 'tooManyCanceled',
} as const

/** `now`: UTC ms. */
export function checkIncidents(
  counted: readonly IncidentCounts[],
  now: number,
): Result<void, Refusal<'tooManyUndelivered' | 'tooManyCanceled'>> {
  for (const kind of ['undeliverable', 'cancellation'] as const) {
    const until = getRefusedUntil(counted, kind, now)
    if (until > 0) return err(buildWaitRefusal(INCIDENT_REFUSALS[kind], until, until - now))
  }
  return ok(undefined)
}

/**
 * Checks a person who begins to pay or opens a page that accepts cards. Asks Stripe about their open
 * payments, because webhooks may be on their way. `openWaitMs`: how long until one more may be open.
 * @throws Stripe's or Firestore's error; nothing may begin then.
 */
export async function checkNewPaymentAllowed(
  context: Context,
  tx: Transaction,
  caller: Caller,
  { parties = [] }: Pick<CheckedParties, 'parties'> = {},
): Promise<
  Result<
    {
      readonly open: readonly KeyedAttempt[]
      readonly openWaitMs: number
      readonly counted: readonly IncidentCounts[]
    },
    Refusal<'paymentsPaused' | 'tooManyDeclines'>
  >
> {
  const open = await readOpenAttempts(context, tx, buildPersonKeys(context, caller))
  const ids = open.flatMap(({ attempt }) => attempt.paymentIntentId ?? [])
  const untold = (await Promise.all(ids.map((id) => listDeclines(context, id)))).flat()
  const counted = await checkPaymentsAllowed(context, tx, caller, { untold, parties })
  if (!counted.ok) return counted
  return ok({ open, openWaitMs: computeOpenAttemptsWait(open, context.now()), counted: counted.value })
}

export async function isPersonStopped(
  { db }: Pick<Context, 'db'>,
  persons: readonly string[],
): Promise<boolean> {
  return hasOpenPause(await findByIds(restrictions(db), persons))
}

const hasOpenPause = (stored: ReadonlyMap<string, DocumentSnapshot>) =>
  [...stored.values()].map(parseRestriction).some((pause) => pause && pause.open.length > 0)
