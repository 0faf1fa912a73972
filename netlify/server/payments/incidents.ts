import type { DocumentSnapshot, Firestore, Transaction } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { DAY } from '../../../domain/common/duration.ts'
import { finiteNumber, type Output } from '../../../domain/common/schema.ts'
import type { Context } from '../platform/context.ts'
import { createDocumentParser } from '../platform/documents.ts'
import { findByIds } from '../platform/queryValues.ts'

/** Incidents count for this long, and refuse new payments for as long after the last one. */
export const INCIDENT_PERIOD = DAY

interface IncidentLimit {
  readonly most: number
  readonly mostOfRecipient: number
  /** Whether a refusal under one key of a sender and a card is a refusal under all of them. */
  readonly isShared: boolean
}

/**
 * `decline`: not shared and not counted for recipients, because strangers can test another person's card.
 * `undeliverable`: three are unlikely to be mistyped numbers. `cancellation`: each costs the operator the
 * card's fees, but one sender must not be able to block a recipient for others.
 */
export const INCIDENT_LIMITS = {
  decline: { most: 10, mostOfRecipient: Number.POSITIVE_INFINITY, isShared: false },
  undeliverable: { most: 3, mostOfRecipient: 3, isShared: true },
  cancellation: { most: 5, mostOfRecipient: 15, isShared: true },
} as const satisfies Record<string, IncidentLimit>
export type IncidentKind = keyof typeof INCIDENT_LIMITS

const countSchema = v.object({
  /** UTC ms by ID, which counts each incident once. */
  at: v.record(v.string(), finiteNumber),
  /** UTC ms; 0 if the limit has not been reached. */
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
  /** UTC ms. */
  endsAt: finiteNumber,
})

type IncidentCount = Output<typeof countSchema>
type Incidents = Output<typeof incidentsSchema>
export type IncidentCounts = Incidents['counts']
const parseIncidents = createDocumentParser(incidentsSchema)
const parseCounts = (document: DocumentSnapshot | undefined): IncidentCounts =>
  parseIncidents(document)?.counts ?? {}

export const incidents = (db: Firestore) => db.collection('incidents')

export interface NewIncidents {
  readonly name: string
  readonly at: IncidentCount['at']
  readonly isRecipient?: boolean
}

/** Returns whether payments are refused now under a key of the sender or the card. */
export async function prepareIncidentCount(
  context: Pick<Context, 'db' | 'now'>,
  tx: Transaction,
  kind: IncidentKind,
  added: readonly NewIncidents[],
): Promise<{ readonly isRefused: boolean; readonly store: () => void }> {
  const refs = added.map(({ name }) => incidents(context.db).doc(name))
  const stored = (await tx.getAll(...refs)).map(parseCounts)
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

/** Removes incidents that no longer count. `until`: 0 if payments are allowed at `now` (UTC ms). */
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

export async function readIncidents(
  { db }: Pick<Context, 'db'>,
  tx: Transaction,
  names: readonly string[],
): Promise<readonly IncidentCounts[]> {
  const stored = await findByIds(incidents(db), names, (query) => tx.get(query))
  return names.map((name) => parseCounts(stored.get(name)))
}

/** UTC ms; 0 if nothing refuses payments. `untold`: incidents that may not have been counted yet. */
export function getRefusedUntil(
  counted: readonly IncidentCounts[],
  kind: IncidentKind,
  now: number,
  untold: IncidentCount['at'] = {},
): number {
  return Math.max(...counted.map((counts) => addIncidents(kind, counts[kind], { at: untold }, now).until))
}
