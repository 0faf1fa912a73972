import type { Firestore, Transaction } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { DAY } from '../../../domain/common/duration.ts'
import { finiteNumber, type Output } from '../../../domain/common/schema.ts'
import type { Context } from '../platform/context.ts'
import { createDocumentParser } from '../platform/documents.ts'

/** Incidents count for this long, and refuse new payments for as long after the last one. In milliseconds. */
export const INCIDENT_PERIOD = DAY

interface IncidentLimit {
  /** How many within the period refuse payments, under a key of a sender or a card. */
  readonly most: number
  /** The same under the key of a recipient. */
  readonly mostOfRecipient: number
  /** Whether a refusal under one key of a sender and a card is a refusal under all of them. */
  readonly isShared: boolean
}

/**
 * The limits of each kind of incident, which count against a person, a card or a recipient.
 *
 * `decline`: ten suggest that the user is testing stolen cards. Not shared and not counted for recipients,
 * because strangers can test another person's card. `undeliverable`: three are unlikely to be mistyped
 * numbers. `cancellation`: each costs the operator the card's fees. Canceling is free for the sender, so one
 * person must not be able to block a recipient for others.
 */
export const INCIDENT_LIMITS = {
  decline: { most: 10, mostOfRecipient: Number.POSITIVE_INFINITY, isShared: false },
  undeliverable: { most: 3, mostOfRecipient: 3, isShared: true },
  cancellation: { most: 5, mostOfRecipient: 15, isShared: true },
} as const satisfies Record<string, IncidentLimit>
export type IncidentKind = keyof typeof INCIDENT_LIMITS

const countSchema = v.object({
  /** Instants (UTC ms) by ID, which counts each incident once. */
  at: v.record(v.string(), finiteNumber),
  /** Until when payments are refused (UTC ms); 0 if the limit has not been reached. */
  until: finiteNumber,
})
const incidentsSchema = v.object({
  counts: v.partial(
    v.object({
      decline: countSchema,
      undeliverable: countSchema,
      cancellation: countSchema,
    } satisfies Record<IncidentKind, unknown>),
  ),
  /** When the document expires (UTC ms). */
  endsAt: finiteNumber,
})

/** The incidents of one kind that are counted under one key. */
type IncidentCount = Output<typeof countSchema>
type Incidents = Output<typeof incidentsSchema>
/** The incidents that are counted under one key, by their kind. */
export type IncidentCounts = Incidents['counts']
const parseIncidents = createDocumentParser(incidentsSchema)

export const incidents = (db: Firestore) => db.collection('incidents')

/** Incidents to count under the key of a sender, a card or a recipient. `at`: as in the stored count. */
export interface NewIncidents {
  readonly name: string
  readonly at: IncidentCount['at']
  readonly isRecipient?: boolean
}

/**
 * Reads the counts under these keys, and adds incidents. Returns whether payments are refused now under a key
 * of the sender or the card, and a function that stores the counts. Counting an incident again changes
 * nothing.
 */
export async function prepareIncidentCount(
  context: Pick<Context, 'db' | 'now'>,
  tx: Transaction,
  kind: IncidentKind,
  added: readonly NewIncidents[],
): Promise<{ readonly isRefused: boolean; readonly store: () => void }> {
  const names = added.map(({ name }) => name)
  const stored = await readIncidents(context, tx, names)
  const next = added.map((one, i) => addIncidents(kind, stored[i]?.[kind], one, context.now()))
  const ofSender = Math.max(...next.map(({ until }, i) => (added[i]?.isRecipient ? 0 : until)))
  return {
    isRefused: ofSender > 0,
    store() {
      for (const [i, { name, isRecipient }] of added.entries()) {
        const count = next[i]
        if (!count || Object.keys(count.at).length === 0) continue
        const until = INCIDENT_LIMITS[kind].isShared && !isRecipient ? ofSender : count.until
        const counts = { ...stored[i], [kind]: { ...count, until } }
        const endsAt = Math.max(...Object.values(counts).map((count) => (count ? getEnd(count) : 0)))
        tx.set(incidents(context.db).doc(name), { counts, endsAt } satisfies Incidents)
      }
    },
  }
}

const getEnd = ({ at, until }: IncidentCount) =>
  Math.max(...Object.values(at).map((instant) => instant + INCIDENT_PERIOD), until)

/**
 * Adds incidents to the counted ones, and removes those that no longer count. `until`: when payments are
 * allowed again; 0 if they are at `now` (UTC ms).
 */
function addIncidents(
  kind: IncidentKind,
  count: IncidentCount | undefined,
  { at: added, isRecipient }: Omit<NewIncidents, 'name'>,
  now: number,
): IncidentCount {
  const { most, mostOfRecipient } = INCIDENT_LIMITS[kind]
  const at = Object.fromEntries(
    Object.entries({ ...count?.at, ...added }).filter(([, instant]) => instant > now - INCIDENT_PERIOD),
  )
  const instants = Object.values(at)
  const isReached = instants.length >= (isRecipient ? mostOfRecipient : most)
  const reached = isReached && Object.keys(added).length > 0 ? Math.max(...instants) + INCIDENT_PERIOD : 0
  const until = Math.max(count?.until ?? 0, reached)
  return { at, until: until > now ? until : 0 }
}

/** Reads what is counted under each of these keys. */
export async function readIncidents(
  { db }: Pick<Context, 'db'>,
  tx: Transaction,
  names: readonly string[],
): Promise<readonly IncidentCounts[]> {
  const stored = await tx.getAll(...names.map((name) => incidents(db).doc(name)))
  return stored.map((document) => parseIncidents(document)?.counts ?? {})
}

/**
 * Returns until when incidents of a kind refuse payments (UTC ms); 0 if none do at `now`.
 *
 * @param untold incidents of a person that may not have been counted yet.
 */
export function getRefusedUntil(
  counted: readonly IncidentCounts[],
  kind: IncidentKind,
  now: number,
  untold: IncidentCount['at'] = {},
): number {
  return Math.max(...counted.map((counts) => addIncidents(kind, counts[kind], { at: untold }, now).until))
}
