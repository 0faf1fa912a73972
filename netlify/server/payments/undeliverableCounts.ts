import type { Firestore, Transaction } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { DAY } from '../../../domain/common/duration.ts'
import { finiteNumber } from '../../../domain/common/schema.ts'
import type { Context } from '../platform/context.ts'
import { createDocumentParser } from '../platform/documents.ts'

/**
 * How many undeliverable transfers within a day cause refusals. Each costs the operator its fees, and three
 * are unlikely to be mistyped numbers.
 */
export const MAX_UNDELIVERABLE_TRANSFERS = 3
const COUNT_FOR = DAY
export const UNDELIVERABLE_REFUSAL_PERIOD = DAY

export const undeliverableCounts = (db: Firestore) => db.collection('undeliverable')
/** Parses the undeliverable transfers counted under one key. `at`: instants (UTC ms) by transfer ID. */
const parse = createDocumentParser(
  v.object({
    at: v.record(v.string(), finiteNumber),
    /** When transfers are allowed again (UTC ms); null if none are refused. */
    until: v.nullish(finiteNumber, null),
    /** When the document expires (UTC ms). */
    endsAt: finiteNumber,
  }),
)

/**
 * Reads the counts for a transfer that could not be delivered; returns a function that adds the transfer.
 * When its sender or card reaches the limit, all keys of both are refused, so that a new account with the
 * same card is refused too. A recipient is refused separately, so that a wrong number affects no other
 * recipient.
 */
export async function prepareUndeliverableCount(
  { db, now }: Pick<Context, 'db' | 'now'>,
  tx: Transaction,
  id: string,
  { senders, recipient }: { readonly senders: readonly string[]; readonly recipient: string },
): Promise<() => void> {
  const names = [...new Set([...senders, recipient])]
  const refs = names.map((name) => undeliverableCounts(db).doc(name))
  const stored = (await tx.getAll(...refs)).map(parse)
  const at = now()
  const counts = stored.map((count) => ({
    ...Object.fromEntries(Object.entries(count?.at ?? {}).filter(([, instant]) => instant > at - COUNT_FOR)),
    [id]: at,
  }))
  const isReached = (i: number) => Object.keys(counts[i] ?? {}).length >= MAX_UNDELIVERABLE_TRANSFERS
  const isSenderRefused = names.some((name, i) => name !== recipient && isReached(i))
  return () =>
    refs.forEach((ref, i) => {
      const isRefused = names[i] === recipient ? isReached(i) : isSenderRefused
      const until = isRefused ? at + UNDELIVERABLE_REFUSAL_PERIOD : (stored[i]?.until ?? null)
      tx.set(ref, { at: counts[i], until, endsAt: Math.max(at + COUNT_FOR, until ?? 0) })
    })
}

/** Returns when transfers are allowed again under all of these keys (UTC ms); null if they are now. */
export async function readRefusedUntil(
  { db, now }: Pick<Context, 'db' | 'now'>,
  tx: Transaction,
  names: readonly string[],
): Promise<number | null> {
  const stored = await tx.getAll(...names.map((name) => undeliverableCounts(db).doc(name)))
  const until = Math.max(...stored.map((document) => parse(document)?.until ?? 0))
  return until > now() ? until : null
}
