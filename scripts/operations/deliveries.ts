import { writeFileSync } from 'node:fs'
import type { DocumentSnapshot } from 'firebase-admin/firestore'
import type { DeliveryOrder, DeliveryState } from '../../domain/delivery.ts'
import { DAY } from '../../domain/duration.ts'
import { toMajor } from '../../domain/money.ts'
import { FINAL_FAILURES } from '../../domain/schemas/delivery.ts'
import { walletName } from '../../domain/wallets.ts'
import { type DeliveryEvent, isCalledOff } from '../../machines/delivery.ts'
import { updateDelivery } from '../../netlify/server/payouts/deliver.ts'
import { type Claimed, claim } from '../../netlify/server/payouts/handPayments.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import { parseDeliveryBatch, parseDeliveryOrder } from '../../netlify/server/platform/documents.ts'
import { deliveries as deliveriesOf, deliveryBatches } from '../../netlify/server/platform/records.ts'
import { CommandError } from './commandError.ts'
import { formatAmount, formatTime } from './format.ts'

const MOST = 500

/** Lists what is due, in hand, held, waiting for us, or with a provider for a day. */
export async function listDeliveries(context: PayoutContext): Promise<readonly string[]> {
  const all = deliveriesOf(context.db)
  const standing = (state: DeliveryState) => all.where('state', '==', state)
  const found = await Promise.all([
    all.where('isByHand', '==', true).where('state', '==', 'due').orderBy('createdAt').limit(MOST).get(),
    // Only what is in hand has one.
    all.where('batch', '>', '').orderBy('batch').limit(MOST).get(),
    ...(['held', 'waiting'] as const).map((state) => standing(state).limit(MOST).get()),
    ...(['handingOver', 'handedOver'] as const).map((state) =>
      standing(state)
        .where('since', '<=', context.now() - DAY)
        .orderBy('since')
        .limit(MOST)
        .get(),
    ),
  ])
  const lines = await linesOf(
    context,
    found.flatMap(({ docs }) => ordersIn(docs)),
  )
  return lines.length > 0 ? lines : ['Nothing is due, in hand, held or waiting.']
}

/** The order has arrived; `reference` is what the recipient's wallet shows. */
export const confirmDelivery = (context: PayoutContext, id: string, reference: string) =>
  tell(context, id, () => ({ type: 'order.arrived', proof: reference, at: context.now() }))

/** The order can't be paid, and the whole charge goes back. @throws CommandError for an unknown reason. */
export async function failDelivery(context: PayoutContext, id: string, reason: string) {
  const failure = FINAL_FAILURES.find((one) => one === reason)
  if (!failure) throw new CommandError(`--reason must be one of ${FINAL_FAILURES.join(', ')}.`)
  return tell(context, id, () => ({ type: 'order.giveUp', failure, at: context.now() }))
}

/** Returns an unpaid order, or ends its hold. */
export const releaseDelivery = (context: PayoutContext, id: string) =>
  tell(context, id, ({ state }) =>
    state === 'claimed' ? { type: 'claim.release' } : { type: 'order.release', cause: null },
  )

export const holdDelivery = (context: PayoutContext, id: string) =>
  tell(context, id, () => ({ type: 'order.hold', cause: 'operator' }))

const noOrder = (id: string) =>
  `${id} has no delivery order: it was paid before anybody paid out, or nobody knows it.`

async function tell(
  context: PayoutContext,
  id: string,
  event: (order: DeliveryOrder) => DeliveryEvent,
): Promise<readonly string[]> {
  const told = await updateDelivery(context, id, event)
  if (!told) return [noOrder(id)]
  const line = await lineOf(context, id, told.order)
  if (told.isTaken) return ['Done.', line]
  return [
    isWithProvider(told.order)
      ? 'Nothing is changed: its provider works on it. A day after it was handed over it takes the word of somebody who has asked the provider.'
      : 'Nothing is changed: that contradicts the records.',
    line,
  ]
}

const isWithProvider = ({ state }: DeliveryOrder) => state === 'handingOver' || state === 'handedOver'

interface Listed {
  readonly id: string
  readonly order: DeliveryOrder
}

const ordersIn = (documents: readonly DocumentSnapshot[]): readonly Listed[] =>
  documents.flatMap((document) => {
    const order = parseDeliveryOrder(document)
    return order ? [{ id: document.id, order }] : []
  })

/** Lists what is in hand of a claim. A claim may be interrupted before its file is written. */
export const showBatch = (context: PayoutContext, batch: string, path?: string): Promise<readonly string[]> =>
  exportTo(path, async () => {
    const orders = await ordersOf(context, batch)
    const lines = await linesOf(context, orders)
    return { lines: lines.length > 0 ? lines : [`The batch ${batch} has nothing in hand.`], orders }
  })

interface Exported {
  readonly lines: readonly string[]
  readonly orders: readonly Listed[]
}

/** Creates the file before anything is claimed for it, and never overwrites one. It holds phone numbers. */
async function exportTo(path: string | undefined, work: () => Promise<Exported>): Promise<readonly string[]> {
  if (path === undefined) return (await work()).lines
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
  } catch {
    throw new CommandError(`${path} can't be created. Does it exist already?`)
  }
  const { lines, orders } = await work()
  if (orders.length > 0) writeFileSync(path, csvOf(orders))
  return lines
}

const ordersOf = async ({ db }: PayoutContext, batch: string) =>
  ordersIn((await deliveriesOf(db).where('batch', '==', batch).get()).docs)

const linesOf = (context: PayoutContext, orders: readonly Listed[]) =>
  Promise.all(orders.map(({ id, order }) => lineOf(context, id, order)))

/** Takes these orders in hand, or all that are due, and exports them for a bank or an agent. */
export const claimDeliveries = (
  context: PayoutContext,
  {
    by,
    ids,
    path,
  }: { readonly by: string; readonly ids: readonly string[]; readonly path?: string | undefined },
): Promise<readonly string[]> => exportTo(path, () => claimOrders(context, by, ids))

async function claimOrders(context: PayoutContext, by: string, ids: readonly string[]): Promise<Exported> {
  const due = deliveriesOf(context.db)
    .where('isByHand', '==', true)
    .where('state', '==', 'due')
    .orderBy('createdAt')
    .limit(MOST)
  const asked = ids.length > 0 ? ids : (await due.get()).docs.map(({ id }) => id)
  if (asked.length === 0) return { lines: ['Nothing is due.'], orders: [] }
  const batch = `${new Date(context.now()).toISOString().slice(0, 19).replaceAll(':', '')}-${crypto.randomUUID().slice(0, 4)}`
  const claimed = await claim(context, { batch, by, ids: asked })
  if (!claimed)
    return {
      lines: ['Nothing is claimed: payments are closed, and an older database may list what was paid.'],
      orders: [],
    }
  const mine = [...claimed].filter(([, what]) => what === 'claimed').map(([id]) => id)
  const others = [...claimed].flatMap(([id, what]) => (what === 'claimed' ? [] : `${id}${NOT_CLAIMED[what]}`))
  const orders = await ordersOf(context, batch)
  // Many take long to claim, and a charge may go back meanwhile.
  const calledOff = await linesOf(
    context,
    orders.filter(({ order }) => order.reversal !== null),
  )
  return {
    lines: [`${mine.length} in hand, as the batch ${batch}.`, ...others, ...calledOff],
    orders,
  }
}

const NOT_CLAIMED: Readonly<Record<Exclude<Claimed, 'claimed'>, string>> = {
  calledOff: ': its charge went back, so nobody pays it.',
  held: ': a warning or a review holds it, so nobody pays it before it is released.',
  notDue: ' is not due.',
}

/** By RFC 4180, for a bank or an agent: amounts in major units, with a point. Whoever has the file pays all of it, so what went back is not in it. */
function csvOf(orders: readonly Listed[]): string {
  const toPay = orders.filter(({ order }) => order.reversal === null)
  const rows = toPay.map(({ id, order: { amount, phone, wallet, batch } }) => [
    id,
    walletName(wallet) ?? wallet,
    phone,
    String(toMajor(amount)),
    amount.currency,
    batch ?? '',
  ])
  return [['transfer', 'wallet', 'phone', 'amount', 'currency', 'batch'], ...rows]
    .map((row) => `${row.map(quoted).join(',')}\r\n`)
    .join('')
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

async function lineOf(context: PayoutContext, id: string, order: DeliveryOrder): Promise<string> {
  const { amount, phone, wallet, createdAt } = order
  return `${id}: ${formatAmount(amount)} to ${phone} (${walletName(wallet) ?? wallet}), paid for at ${formatTime(createdAt)}: ${await standing(context, order)}.`
}

/** Where an order stands, as the end of a sentence. */
export async function standing(context: PayoutContext, order: DeliveryOrder): Promise<string> {
  const { state, holds, batch, failure, proof, reversal, deliveredAt, provider, reference, since } = order
  const why = failure ?? reversal ?? 'no reason is known'
  switch (state) {
    case 'due':
      return 'due'
    case 'claimed': {
      const by =
        batch === null ? undefined : parseDeliveryBatch(await deliveryBatches(context.db).doc(batch).get())
      const back =
        reversal === null ? '' : `; its charge went back (${reversal}), so don't pay it, and release it`
      return `in hand of ${by?.by ?? 'nobody knows whom'} since ${by ? formatTime(by.claimedAt) : 'nobody knows when'}, batch ${batch}${back}`
    }
    case 'held':
      return `held by ${holds.join(', ')}${reversal === null ? '' : `; its charge went back (${reversal})`}`
    case 'waiting':
      return `waiting for something of ours (${why})`
    case 'delivered':
      return `delivered at ${formatTime(deliveredAt ?? 0)}, reference ${proof ?? 'unknown'}`
    case 'failed':
      return `failed (${why}), and owed back`
    case 'paidBack':
      return `failed (${why}), and paid back`
    case 'handingOver':
    case 'handedOver':
      return `with ${provider} since ${formatTime(since)}, reference ${reference}${isCalledOff(order) ? `; called off (${reversal ?? failure}) unless ${provider} pays it` : ''}`
  }
}
