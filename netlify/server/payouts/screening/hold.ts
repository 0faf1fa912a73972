import type { Firestore } from 'firebase-admin/firestore'
import * as v from 'valibot'
import type { DeliveryOrder } from '../../../../domain/payouts/deliveryOrder.ts'
import { LIST_PROBLEMS, type ListProblem } from '../../../../domain/payouts/screening.ts'
import type { DeliveryEvent } from '../../../../machines/delivery.ts'
import { queryIdentities } from '../../accounts/identityQueue.ts'
import { createDocumentParser } from '../../platform/documents.ts'
import type { PayoutContext } from '../payoutContext.ts'
import type { ScreenedPerson, Screening } from './screening.ts'

type HoldEvent = Extract<DeliveryEvent, { readonly type: 'order.hold' }>

/** Null also if an operator has released the order. @throws Firestore's error; nothing is paid out then. */
export async function findScreeningHold(
  context: PayoutContext,
  order: Pick<DeliveryOrder, 'uid' | 'lifted' | 'senderName' | 'recipientName'>,
): Promise<HoldEvent | null> {
  const { screening } = context
  if (!screening || order.lifted.includes('screening')) return null
  const result = await screening.screen(await findSender(context, order), order)
  switch (result.kind) {
    case 'clear':
      return null
    case 'hit':
      return { type: 'order.hold', cause: 'screening', hits: result.hits }
    case 'unusable':
      await noteListProblem(context, result.problem)
      return { type: 'order.hold', cause: 'screeningList' }
  }
}

const identitySchema = v.object({
  status: v.fallback(v.string(), ''),
  fullName: v.fallback(v.nullable(v.nullish(v.string(), null)), null),
  dateOfBirth: v.fallback(v.nullable(v.nullish(v.string(), null)), null),
})
const parseIdentity = createDocumentParser(identitySchema)

async function findSender(
  { db }: PayoutContext,
  { uid, senderName }: Pick<DeliveryOrder, 'uid' | 'senderName'>,
): Promise<ScreenedPerson> {
  const own = await queryIdentities(db, uid).get()
  const approved = own.docs
    .flatMap((file) => parseIdentity(file) ?? [])
    .filter(({ status }) => status === 'approved')
  const births = new Set(approved.flatMap(({ dateOfBirth }) => dateOfBirth ?? []))
  const [birthDate = null] = births
  return {
    names: [...new Set([senderName, ...approved.map(({ fullName }) => fullName)])].filter(
      (name) => name !== null,
    ),
    // Two documents that disagree prove no date.
    birthDate: births.size === 1 ? birthDate : null,
  }
}

const listNoteRef = (db: Firestore) => db.doc('settings/screening')
const parseListNote = createDocumentParser(v.object({ problem: v.nullish(v.picklist(LIST_PROBLEMS), null) }))

/** Alerts an operator once for each new problem. */
async function noteListProblem({ db, log }: PayoutContext, problem: ListProblem | null): Promise<void> {
  const isNews = await db.runTransaction(async (tx) => {
    const ref = listNoteRef(db)
    const before = parseListNote(await tx.get(ref))?.problem ?? null
    if (before !== problem) tx.set(ref, { problem })
    return before !== problem
  })
  if (!isNews) return
  if (problem === null) log({ level: 'info', event: 'screeningListUsable' })
  else log({ level: 'error', event: 'screeningListUnusable', problem })
}

export async function checkList(context: PayoutContext, screening: Screening): Promise<boolean> {
  const state = await screening.check()
  await noteListProblem(context, state.kind === 'usable' ? null : state.problem)
  return state.kind === 'usable'
}
