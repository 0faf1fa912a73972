import type { DocumentSnapshot } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { DAY, HOUR } from '../../domain/common/duration.ts'
import { finiteNumber, type Output } from '../../domain/common/schema.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import { createDocumentParser } from '../../netlify/server/platform/documents.ts'
import { operatorActions } from '../../netlify/server/platform/records.ts'
import { CommandError } from './commandError.ts'

export const APPROVAL_PERIOD = DAY
const MAX_LISTED = 100
/** Ends the ID of an approval, after that of its action. */
const APPROVED = '-approved'

const actionSchema = v.object({
  /** UTC ms. */
  at: finiteNumber,
  by: v.string(),
  because: v.string(),
  /** As typed, without options. */
  words: v.array(v.string()),
  options: v.record(v.string(), v.string()),
  /** Payments, users, invoices and actions. */
  about: v.array(v.string()),
  /** Takes effect only after another operator's approval. */
  waits: v.boolean(),
})

/** Written once and never changed. */
export type OperatorAction = Output<typeof actionSchema>
const parseAction = createDocumentParser(actionSchema)

export type ListedAction = OperatorAction & { readonly id: string }

type NewAction = Omit<OperatorAction, 'at'>

/** Returns the action's ID. @throws Firestore's error. */
export async function recordOperatorAction(
  { db, now }: Pick<Context, 'db' | 'now'>,
  action: NewAction,
): Promise<string> {
  const time = new Date(now()).toISOString().slice(0, 19).replaceAll(/[:-]/g, '')
  const id = `${time}-${crypto.randomUUID().slice(0, 8)}`
  await operatorActions(db)
    .doc(id)
    .create({ ...action, at: now() })
  return id
}

/**
 * Approves an action once, by another operator. Returns the action, which the caller carries out.
 * @throws CommandError if it can't be approved; or Firestore's error, after which the action may be approved
 * but not carried out, and must be requested again.
 */
export async function approveOperatorAction(
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: string,
  { by, because }: Pick<OperatorAction, 'by' | 'because'>,
): Promise<OperatorAction> {
  const [asked, approval] = [operatorActions(db).doc(id), operatorActions(db).doc(`${id}${APPROVED}`)]
  return db.runTransaction(async (tx) => {
    const [stored, approved] = await tx.getAll(asked, approval)
    const action = parseAction(stored)
    const refuse = (why: string) => new CommandError(`Nothing was changed: ${why}.`)
    if (!action) throw refuse('no action has this ID')
    if (!action.waits) throw refuse('it needs no approval, and was carried out when it was requested')
    if (isSameName(action.by, by)) throw refuse("the operator who requested it can't approve it")
    if (approved?.exists) throw refuse('it was already approved. If it failed, request it again')
    if (now() - action.at > APPROVAL_PERIOD)
      throw refuse(`it was requested more than ${APPROVAL_PERIOD / HOUR} hours ago. Request it again`)
    tx.create(approval, {
      at: now(),
      by,
      because,
      words: ['approve', id],
      options: {},
      about: [id, ...action.about],
      waits: false,
    } satisfies OperatorAction)
    return action
  })
}

export const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Newest first. `about`: a payment, a user, an invoice or an action. */
export async function listOperatorActions(
  { db }: Pick<Context, 'db'>,
  about?: string,
): Promise<readonly ListedAction[]> {
  const all = operatorActions(db)
  const asked = about === undefined ? all : all.where('about', 'array-contains', about)
  const { docs } = await asked.orderBy('at', 'desc').limit(MAX_LISTED).get()
  return parseActions(docs)
}

/** Requests that another operator can still approve. */
export async function listWaitingActions({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Promise<readonly ListedAction[]> {
  const { docs } = await operatorActions(db)
    .where('at', '>=', now() - APPROVAL_PERIOD)
    .get()
  const approved = new Set(docs.map(({ id }) => id).filter((id) => id.endsWith(APPROVED)))
  return parseActions(docs).filter(({ id, waits }) => waits && !approved.has(`${id}${APPROVED}`))
}

const parseActions = (documents: readonly DocumentSnapshot[]): readonly ListedAction[] =>
  documents.flatMap((document) => {
    const action = parseAction(document)
    return action ? [{ ...action, id: document.id }] : []
  })
