import type { Firestore, Transaction } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { finiteNumber, type Output } from '../../../domain/common/schema.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { createDocumentParser } from '../platform/documents.ts'
import { buildPersonKeys } from '../platform/persons.ts'
import { buildRefusal, buildWaitRefusal, type Refusal } from '../platform/refusals.ts'
import { type Decline, listDeclines, toIncidents } from './declines.ts'
import { readRefusedUntil } from './incidents.ts'
import { computeOpenAttemptsWait, readOpenAttempts } from './openAttempts.ts'

const restrictionSchema = v.object({
  /** ID of the paused account; empty under the key of a card or a recipient. */
  uid: v.string(),
  /** Causes of the pause: `operator`, or the ID of a dispute, a warning or a review at Stripe. */
  open: v.array(v.string()),
  /** Former entries of `open`. */
  lifted: v.array(v.string()),
  /** Since when payments are paused (UTC ms); null if they are not. */
  since: v.nullish(finiteNumber, null),
})

/**
 * Why payments are paused, stored under each key of the person. Kept after everything is lifted, so that a
 * late webhook does not pause them again.
 */
export type Restriction = Output<typeof restrictionSchema>
export const parseRestriction = createDocumentParser(restrictionSchema)

export const restrictions = (db: Firestore) => db.collection('restrictions')

/**
 * Checks that nothing pauses a person's payments and that their cards were not declined too often. Reads
 * inside the transaction that reserves, so that a pause and a new payment see each other.
 *
 * @param untold declines that may not have been counted yet.
 */
export async function checkPaymentsAllowed(
  context: Context,
  tx: Transaction,
  caller: Caller,
  untold: readonly Decline[] = [],
): Promise<Result<void, Refusal<'paymentsPaused' | 'tooManyDeclines'>>> {
  const keys = buildPersonKeys(context, caller)
  const stored = await tx.getAll(...keys.map((key) => restrictions(context.db).doc(key)))
  const pauses = stored.map(parseRestriction)
  if (pauses.some((pause) => pause && pause.open.length > 0)) return err(buildRefusal('paymentsPaused'))
  const until = await readRefusedUntil(context, tx, 'decline', keys, toIncidents(untold))
  if (until === 0) return ok(undefined)
  const retryAfterSeconds = Math.ceil((until - context.now()) / 1000)
  return err(buildRefusal('tooManyDeclines', { details: { retryAfterSeconds } }))
}

const INCIDENT_REFUSALS = {
  undeliverable: 'tooManyUndelivered',
  cancellation: 'tooManyCanceled',
} as const

/**
 * Checks that too many transfers were not lately undeliverable or canceled under any of these keys. Reads
 * inside the transaction that reserves.
 *
 * @param names keys of a sender, of their cards and of a recipient.
 */
export async function checkIncidents(
  context: Context,
  tx: Transaction,
  names: readonly string[],
): Promise<Result<void, Refusal<'tooManyUndelivered' | 'tooManyCanceled'>>> {
  for (const kind of ['undeliverable', 'cancellation'] as const) {
    const until = await readRefusedUntil(context, tx, kind, names)
    if (until > 0) return err(buildWaitRefusal(INCIDENT_REFUSALS[kind], until, until - context.now()))
  }
  return ok(undefined)
}

/**
 * Checks a person who begins to pay or opens a page that accepts cards. Asks Stripe about each of their open
 * payments, because webhooks may still be on their way. Returns how long until one more payment may be open,
 * in milliseconds.
 *
 * @throws Stripe's or Firestore's error; nothing may begin then.
 */
export async function checkNewPaymentAllowed(
  context: Context,
  tx: Transaction,
  caller: Caller,
): Promise<Result<{ readonly openWaitMs: number }, Refusal<'paymentsPaused' | 'tooManyDeclines'>>> {
  const open = await readOpenAttempts(context, tx, buildPersonKeys(context, caller))
  const ids = open.flatMap(({ attempt }) => attempt.paymentIntentId ?? [])
  const untold = await Promise.all(ids.map((id) => listDeclines(context, id)))
  const allowed = await checkPaymentsAllowed(context, tx, caller, untold.flat())
  return allowed.ok ? ok({ openWaitMs: computeOpenAttemptsWait(open, context.now()) }) : allowed
}

/** Whether a stop is in force under any of these keys (`buildPersonKeys`). */
export async function isPersonStopped(
  { db }: Pick<Context, 'db'>,
  persons: readonly string[],
): Promise<boolean> {
  if (persons.length === 0) return false
  const stored = await db.getAll(...persons.map((name) => restrictions(db).doc(name)))
  return stored.map(parseRestriction).some((pause) => pause && pause.open.length > 0)
}
