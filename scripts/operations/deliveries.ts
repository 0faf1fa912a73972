import type { DocumentSnapshot } from 'firebase-admin/firestore'
import { buildCsv } from '../../domain/common/csv.ts'
import { DAY } from '../../domain/common/duration.ts'
import type { Language } from '../../domain/common/language.ts'
import { toMajor } from '../../domain/money/money.ts'
import { getWalletName } from '../../domain/numbers/wallets.ts'
import type { DeliveryOrder, DeliveryState } from '../../domain/payouts/deliveryOrder.ts'
import { FINAL_FAILURES } from '../../domain/transfers/deliverySchema.ts'
import { type DeliveryEvent, isCalledOff } from '../../machines/delivery.ts'
import { findPausesOfOthers, listPauses } from '../../netlify/server/events/pauses.ts'
import { arePaymentsClosed } from '../../netlify/server/payments/paymentsState.ts'
import { updateDelivery } from '../../netlify/server/payouts/deliver.ts'
import {
  deliveryBatches,
  deliveries as getDeliveries,
  parseDeliveryBatch,
  parseDeliveryOrder,
} from '../../netlify/server/payouts/orderRecords.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import { CommandError } from './commandError.ts'
import { createExportFile } from './exportFile.ts'
import { formatAmount, formatTime } from './format.ts'
import { type ClaimResult, claimDueOrders } from './handPayments.ts'
import { APPROVAL_PERIOD, isSameName, type ListedAction, listWaitingActions } from './operatorActions.ts'

const MAX_ROWS = 500

/** Includes orders that wait for us, or that are with a provider for more than a day. */
export async function listDeliveries(context: PayoutContext): Promise<readonly string[]> {
  const all = getDeliveries(context.db)
  const standing = (state: DeliveryState) => all.where('state', '==', state)
  const pages = await Promise.all([
    all.where('isByHand', '==', true).where('state', '==', 'due').orderBy('createdAt').limit(MAX_ROWS).get(),
    ...(['claimed', 'held', 'waiting'] as const).map((state) => standing(state).limit(MAX_ROWS).get()),
    ...(['handingOver', 'handedOver'] as const).map((state) =>
      standing(state)
        .where('since', '<=', context.now() - DAY)
        .orderBy('since')
        .limit(MAX_ROWS)
        .get(),
    ),
  ])
  const orders = pages.flatMap(({ docs }) => parseOrders(docs))
  const waiting = await listWaitingActions(context)
  const lines = (await describeOrders(context, orders)).map((line, index) => {
    const report = findReport(waiting, orders[index]?.id)
    return report ? `${line} ${describeReport(report)}` : line
  })
  if (lines.length === 0) return ['No transfer is due, claimed, held or waiting.']
  return pages.some(({ size }) => size === MAX_ROWS)
    ? [...lines, `At most ${MAX_ROWS} transfers of a state are listed, so there may be more.`]
    : lines
}

/**
 * `reference`: in the recipient's wallet. Without a claim only while payments are closed: a restored database may have
 * lost it.
 */
export const confirmDelivery = (context: PayoutContext, id: string, reference: string) =>
  applyDeliveryEvent(context, id, async ({ state }) => {
    const isUnclaimed = state === 'due' || state === 'held'
    if (isUnclaimed && !(await arePaymentsClosed(context))) return null
    return { type: 'order.markDelivered', proof: reference, at: context.now() }
  })

interface Actor {
  readonly by: string
  /** UTC ms of the request that another operator has approved. */
  readonly askedAt: number | null
}

/** The whole charge is refunded. @throws CommandError for an unknown reason, or if it may have been paid. */
export async function failDelivery(context: PayoutContext, id: string, reason: string, actor: Actor) {
  const failure = FINAL_FAILURES.find((one) => one === reason)
  if (!failure) throw new CommandError(`--reason must be one of ${FINAL_FAILURES.join(', ')}.`)
  return applyDeliveryEvent(context, id, async (order) => {
    await throwIfMaybePaid(context, id, order, actor)
    return order.holds.includes('screening') ? null : { type: 'order.markFailed', failure, at: context.now() }
  })
}

/**
 * Ends a claim or a hold, unless the user's payments are paused or the list of sanctions holds the order.
 * @throws CommandError if it may have been paid.
 */
export const releaseDelivery = (context: PayoutContext, id: string, actor: Actor) =>
  applyDeliveryEvent(context, id, async (order) => {
    await throwIfMaybePaid(context, id, order, actor)
    if (order.state === 'claimed') return { type: 'order.unclaim' }
    const isForOthers = order.holds.includes('stop') || order.holds.includes('screening')
    return isForOthers ? null : { type: 'order.release', cause: null }
  })

/** Another operator may have paid it. */
export async function isClaimedByColleague(context: PayoutContext, id: string, by: string): Promise<boolean> {
  const order = parseDeliveryOrder(await getDeliveries(context.db).doc(id).get())
  return order !== undefined && isColleagues(context, order, { by, askedAt: null })
}

/** An approval counts only for a claim made before the request. */
async function isColleagues(context: PayoutContext, { state, batch }: DeliveryOrder, { by, askedAt }: Actor) {
  if (state !== 'claimed') return false
  const claim = await fetchBatch(context, batch)
  return !isSameName(claim?.by ?? '', by) && (askedAt === null || (claim?.claimedAt ?? 0) > askedAt)
}

async function throwIfMaybePaid(
  context: PayoutContext,
  id: string,
  order: DeliveryOrder,
  actor: Actor,
): Promise<void> {
  const report = findReport(await listWaitingActions(context), id)
  if (report) throw new CommandError(`Nothing was changed. ${describeReport(report)}`)
  if (await isColleagues(context, order, actor))
    throw new CommandError('Nothing was changed: a colleague has just claimed it. Repeat the command.')
}

const findReport = (waiting: readonly ListedAction[], id: string | undefined) =>
  waiting.find(({ words, about }) => words[1] === 'delivered' && about[0] === id)

const describeReport = ({ id, by, at }: ListedAction) =>
  `${by} reports it as delivered, which waits for approval until ${formatTime(at + APPROVAL_PERIOD)}: npm run ops -- approve ${id}`

export const holdByOperator = (context: PayoutContext, id: string) =>
  applyDeliveryEvent(context, id, () => ({ type: 'order.hold', cause: 'operator' }))

async function applyDeliveryEvent(
  context: PayoutContext,
  id: string,
  event: (order: DeliveryOrder) => DeliveryEvent | null | Promise<DeliveryEvent | null>,
) {
  const update = await updateDelivery(context, id, event)
  if (!update)
    return {
      lines: [`${id} has no delivery order: it was paid before payouts were set up, or the ID is wrong.`],
      isBad: true,
    }
  const { isTaken, order } = update
  const answer = isTaken ? ['Done.'] : await describeRefusal(context, order)
  return { lines: [...answer, await describeOrder(context, id, order)], isBad: !isTaken }
}

async function describeRefusal(context: PayoutContext, order: DeliveryOrder): Promise<readonly string[]> {
  if (order.state === 'held' && order.holds.includes('stop')) return describeStop(context, order)
  if (order.holds.includes('screening'))
    return [
      'Nothing was changed: a name is like one on the list of sanctions. To see and decide the case: npm run ops -- people cases',
    ]
  return [
    order.state === 'handingOver' || order.state === 'handedOver'
      ? 'Nothing was changed: its provider is working on it. Ask the provider a day after the hand-over, then repeat the command.'
      : 'Nothing was changed: this contradicts the records.',
  ]
}

/** An order is also held by a stop of another user with the same card or recipient. */
async function describeStop(context: PayoutContext, { uid, persons }: DeliveryOrder): Promise<string[]> {
  const resume = 'npm run ops -- people resume'
  const own = await listPauses(context, uid)
  const others = own.some(({ open }) => open.length > 0) ? [] : await findPausesOfOthers(context, persons)
  if (others.length === 0)
    return [
      `Nothing was changed: its sender is stopped, so every unsent transfer is held. To resume the sender: ${resume} ${uid}`,
    ]
  return others.map(
    ({ cause, uid: owner }) =>
      `Nothing was changed: ${cause} stops user ${owner} and every transfer with the same card or recipient. To resume them: ${resume} ${owner}`,
  )
}

interface Listed {
  readonly id: string
  readonly order: DeliveryOrder
}

const parseOrders = (documents: readonly DocumentSnapshot[]): readonly Listed[] =>
  documents.flatMap((document) => {
    const order = parseDeliveryOrder(document)
    return order ? [{ id: document.id, order }] : []
  })

/** Needed after a claim that was interrupted before its file was written. */
export const showBatch = (context: PayoutContext, batch: string, file?: ExportFile) =>
  runWithExport(file, async () => {
    const orders = await fetchBatchOrders(context, batch)
    const lines = await describeOrders(context, orders)
    return { lines: lines.length > 0 ? lines : [`No transfer of the batch ${batch} is claimed.`], orders }
  })

/** `language`: that of the spreadsheet, 'fr' by default, or 'en'. */
export interface ExportFile {
  readonly path?: string | undefined
  readonly language?: string | undefined
}

interface Exported {
  readonly lines: readonly string[]
  readonly orders: readonly Listed[]
  readonly isBad?: boolean
}

/** Nothing is claimed without a file. @throws CommandError for another language. */
async function runWithExport(
  { path, language = 'fr' }: ExportFile = {},
  work: () => Promise<Exported>,
): Promise<Exported> {
  if (language !== 'fr' && language !== 'en') throw new CommandError('--language must be fr or en.')
  if (path === undefined) return work()
  const write = createExportFile(path)
  const exported = await work()
  if (exported.orders.length > 0) write(buildBatchCsv(exported.orders, language))
  return exported
}

const fetchBatchOrders = async ({ db }: PayoutContext, batch: string) =>
  parseOrders(
    (await getDeliveries(db).where('batch', '==', batch).where('state', '==', 'claimed').get()).docs,
  )

const describeOrders = (context: PayoutContext, orders: readonly Listed[]) =>
  Promise.all(orders.map(({ id, order }) => describeOrder(context, id, order)))

/** Claims these orders, or all that are due. */
export const claimDeliveries = (
  context: PayoutContext,
  { by, ids, ...file }: { readonly by: string; readonly ids: readonly string[] } & ExportFile,
) => runWithExport(file, () => claimOrders(context, by, ids))

async function claimOrders(context: PayoutContext, by: string, ids: readonly string[]): Promise<Exported> {
  const due = getDeliveries(context.db)
    .where('isByHand', '==', true)
    .where('state', '==', 'due')
    .orderBy('createdAt')
    .limit(MAX_ROWS)
  const asked = ids.length > 0 ? ids : (await due.get()).docs.map(({ id }) => id)
  if (asked.length === 0) return { lines: ['No transfer is due.'], orders: [] }
  const batch = `${new Date(context.now()).toISOString().slice(0, 19).replaceAll(':', '')}-${crypto.randomUUID().slice(0, 4)}`
  const results = await claimDueOrders(context, { batch, by, ids: asked })
  if (!results)
    return {
      lines: [
        'Nothing was claimed: payments are closed, and a restored database may list transfers that were already paid.',
      ],
      orders: [],
      isBad: true,
    }
  const others = [...results].flatMap(([id, result]) =>
    result === 'claimed' ? [] : `${id}${NOT_CLAIMED[result]}`,
  )
  const orders = await fetchBatchOrders(context, batch)
  // Claiming takes a while, and an order may be refunded in the meantime.
  const calledOff = await describeOrders(
    context,
    orders.filter(({ order }) => !isPayable(order)),
  )
  return {
    lines: [`Claimed: ${results.size - others.length}, as the batch ${batch}.`, ...others, ...calledOff],
    orders,
    isBad: others.length === results.size,
  }
}

const NOT_CLAIMED: Readonly<Record<Exclude<ClaimResult, 'claimed'>, string>> = {
  calledOff: ': its charge was reversed, so it must not be paid.',
  held: ': it is held, so it must not be paid until it is released.',
  notDue: ' is not due.',
}

const isPayable = ({ reversal, holds }: DeliveryOrder) => reversal === null && holds.length === 0

const HEADINGS: Readonly<Record<Language, readonly string[]>> = {
  fr: [
    ...['transfert', 'mode de réception', 'numéro', 'montant', 'devise', 'lot'],
    ...['bénéficiaire', 'expéditeur'],
  ],
  en: ['transfer', 'wallet', 'phone', 'amount', 'currency', 'batch', 'recipient', 'sender'],
}

/** Amounts are in major units. The bank pays every row, so the file only has payable orders. */
function buildBatchCsv(orders: readonly Listed[], language: Language): string {
  const toPay = orders.filter(({ order }) => isPayable(order))
  const rows = toPay.map(({ id, order: { amount, phone, wallet, batch, ...names } }) => [
    ...[id, getWalletName(wallet) ?? wallet, phone, { value: String(toMajor(amount)) }, amount.currency],
    ...[batch ?? '', names.recipientName ?? '', names.senderName ?? ''],
  ])
  return buildCsv([HEADINGS[language], ...rows], language)
}

async function describeOrder(context: PayoutContext, id: string, order: DeliveryOrder): Promise<string> {
  const { amount, phone, wallet, createdAt } = order
  return `${id}: ${formatAmount(amount)} to ${phone} (${getWalletName(wallet) ?? wallet}), paid for at ${formatTime(createdAt)}: ${await describeOrderState(context, order)}.`
}

async function fetchBatch({ db }: PayoutContext, batch: string | null) {
  return batch === null ? undefined : parseDeliveryBatch(await deliveryBatches(db).doc(batch).get())
}

/** Forms the end of a sentence. */
export async function describeOrderState(context: PayoutContext, order: DeliveryOrder): Promise<string> {
  const {
    state,
    holds,
    batch,
    failure,
    proof,
    reversal,
    deliveredAt,
    provider,
    reference,
    since,
    canceledAt,
  } = order
  const why = failure ?? reversal ?? 'unknown reason'
  switch (state) {
    case 'due':
      return 'due'
    case 'claimed': {
      const by = await fetchBatch(context, batch)
      const doubt =
        reversal === null ? `held by ${holds.join(', ')}` : `its charge was reversed (${reversal})`
      const back = isPayable(order) ? '' : `; ${doubt}, so don't pay it, and release it`
      return `claimed by ${by?.by ?? 'an unknown operator'} at ${by ? formatTime(by.claimedAt) : 'an unknown time'}, batch ${batch}${back}`
    }
    case 'held':
      return `held by ${holds.join(', ')}${reversal === null ? '' : `; its charge was reversed (${reversal})`}`
    case 'waiting':
      return `waiting for an operator (${why})`
    case 'delivered':
      return `delivered at ${formatTime(deliveredAt ?? 0)}, reference ${proof ?? 'unknown'}${batch === null ? '' : `, paid by ${(await fetchBatch(context, batch))?.by} (batch ${batch})`}`
    case 'failed':
      return `failed (${why}), and owed back`
    case 'canceled':
      return `canceled by its sender at ${formatTime(canceledAt ?? 0)}, and owed back`
    case 'paidBack':
      return canceledAt === null
        ? `failed (${why}), and paid back`
        : `canceled by its sender at ${formatTime(canceledAt)}, and paid back`
    case 'handingOver':
    case 'handedOver':
      return `with ${provider} since ${formatTime(since)}, reference ${reference}${isCalledOff(order) ? `; called off (${reversal ?? failure}) unless ${provider} pays it` : ''}`
  }
}
