import type { DocumentSnapshot } from 'firebase-admin/firestore'
import { type DeliveryOrder, type DeliveryState, FINAL_FAILURES } from '../../domain/delivery.ts'
import { formatMoney, toMajor } from '../../domain/money.ts'
import { walletName } from '../../domain/wallets.ts'
import { type DeliveryEvent, isCalledOff } from '../../machines/delivery.ts'
import { type Claimed, claim } from '../../netlify/server/operations/handPayments.ts'
import { tellDelivery } from '../../netlify/server/payments/deliver.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import { deliveryBatchIn, deliveryIn } from '../../netlify/server/platform/readers.ts'
import { deliveries as deliveriesOf, deliveryBatches } from '../../netlify/server/platform/records.ts'
import { Usage } from './chosenSettings.ts'

const HELP = `What about the transfers that people pay? Say one of these:
  list                                    what is due, in hand, held, waits for an account of ours, or is with a provider for long
  claim --by WHO [--export F.csv] [ID…]   takes what is due in hand, all of it or these; the file is for a bank or an agent
  batch BATCH [--export F.csv]            what of a claim is in hand still; the file once more
  delivered ID --reference R              it has arrived: R is what the recipient's wallet shows
  failed ID --reason R                    it can't be paid, and all of the charge goes back: ${FINAL_FAILURES.join(', ')}
  release ID                              nobody has it in hand, and nobody has paid it; or it is held no more
  hold ID                                 nobody pays it before it is released`

/** The options of the command, each with a value. */
export const OPTIONS = ['by', 'export', 'reference', 'reason'] as const
export type Options = Readonly<Partial<Record<(typeof OPTIONS)[number], string>>>

/** What somebody reads, and what the file for a bank or an agent holds; null where none was asked for. */
export interface Done {
  readonly lines: readonly string[]
  readonly file: string | null
}

const MOST = 500
/** How long a provider has an order to itself, and nobody needs to look at it, in milliseconds. */
const DAY = 24 * 3_600_000

/**
 * Does what an operator asks about transfers that people pay out, and says it in sentences. Whatever contradicts the records is refused:
 * nothing is changed then. Times are in UTC.
 *
 * @throws Usage for what is no command; Stripe's or Firestore's error, after which asking again is safe.
 */
export async function deliveries(
  context: Context,
  [command = '', ...ids]: readonly string[],
  { by, export: file, reference, reason }: Options = {},
): Promise<Done> {
  const [id = ''] = ids
  const says = async (lines: Promise<readonly string[]>) => ({ lines: await lines, file: null })
  if (command === 'list') return says(list(context))
  if (command === 'claim' && by?.trim())
    return take(context, { by: by.trim(), ids, hasFile: file !== undefined })
  if (command === 'batch' && ids.length === 1 && id !== '') return inHand(context, id, file !== undefined)
  if (ids.length !== 1 || !/^pi_\w+$/.test(id)) throw new Usage(HELP)
  switch (command) {
    case 'delivered': {
      const proof = reference?.trim()
      if (!proof) throw new Usage(HELP)
      return says(tell(context, id, () => ({ type: 'order.arrived', proof, at: context.now() })))
    }
    case 'failed': {
      const failure = FINAL_FAILURES.find((one) => one === reason)
      if (!failure) throw new Usage(HELP)
      return says(tell(context, id, () => ({ type: 'order.giveUp', failure, at: context.now() })))
    }
    case 'release':
      return says(
        tell(context, id, ({ state }) =>
          state === 'claimed' ? { type: 'claim.release' } : { type: 'order.release', cause: null },
        ),
      )
    case 'hold':
      return says(tell(context, id, () => ({ type: 'order.hold', cause: 'operator' })))
    default:
      throw new Usage(HELP)
  }
}

const noOrder = (id: string) =>
  `${id} has no delivery order: it was paid before anybody paid out, or nobody knows it.`

async function tell(
  context: Context,
  id: string,
  event: (order: DeliveryOrder) => DeliveryEvent,
): Promise<readonly string[]> {
  const told = await tellDelivery(context, id, event)
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

async function list(context: Context): Promise<readonly string[]> {
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

interface Listed {
  readonly id: string
  readonly order: DeliveryOrder
}

const ordersIn = (documents: readonly DocumentSnapshot[]): readonly Listed[] =>
  documents.flatMap((document) => {
    const order = deliveryIn(document)
    return order ? [{ id: document.id, order }] : []
  })

/** A claim may be cut off before its file is written: what it took is in hand all the same. */
async function inHand(context: Context, batch: string, hasFile: boolean): Promise<Done> {
  const orders = await ordersOf(context, batch)
  const lines = await linesOf(context, orders)
  return {
    lines: lines.length > 0 ? lines : [`The batch ${batch} has nothing in hand.`],
    file: hasFile ? csvOf(orders) : null,
  }
}

const ordersOf = async ({ db }: Context, batch: string) =>
  ordersIn((await deliveriesOf(db).where('batch', '==', batch).get()).docs)

const linesOf = (context: Context, orders: readonly Listed[]) =>
  Promise.all(orders.map(({ id, order }) => lineOf(context, id, order)))

/** In batches that are written down first; what came of each is said. */
async function take(
  context: Context,
  { by, ids, hasFile }: { readonly by: string; readonly ids: readonly string[]; readonly hasFile: boolean },
): Promise<Done> {
  const due = deliveriesOf(context.db)
    .where('isByHand', '==', true)
    .where('state', '==', 'due')
    .orderBy('createdAt')
    .limit(MOST)
  const asked = ids.length > 0 ? ids : (await due.get()).docs.map(({ id }) => id)
  if (asked.length === 0) return { lines: ['Nothing is due.'], file: null }
  const batch = `${new Date(context.now()).toISOString().slice(0, 19).replaceAll(':', '')}-${crypto.randomUUID().slice(0, 4)}`
  const claimed = await claim(context, { batch, by, ids: asked })
  if (!claimed)
    return {
      lines: ['Nothing is claimed: payments are closed, and an older database may list what was paid.'],
      file: null,
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
    file: hasFile ? csvOf(orders) : null,
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

async function lineOf(context: Context, id: string, order: DeliveryOrder): Promise<string> {
  const { amount, phone, wallet, createdAt } = order
  const sum = formatMoney(amount, 'en').replace(/\s/gu, ' ')
  return `${id}: ${sum} to ${phone} (${walletName(wallet) ?? wallet}), paid for at ${time(createdAt)}: ${await standing(context, order)}.`
}

/** Where an order stands, as the end of a sentence. */
export async function standing(context: Context, order: DeliveryOrder): Promise<string> {
  const { state, holds, batch, failure, proof, reversal, deliveredAt, provider, reference, since } = order
  const why = failure ?? reversal ?? 'no reason is known'
  switch (state) {
    case 'due':
      return 'due'
    case 'claimed': {
      const by =
        batch === null ? undefined : deliveryBatchIn(await deliveryBatches(context.db).doc(batch).get())
      const back =
        reversal === null ? '' : `; its charge went back (${reversal}), so don't pay it, and release it`
      return `in hand of ${by?.by ?? 'nobody knows whom'} since ${by ? time(by.claimedAt) : 'nobody knows when'}, batch ${batch}${back}`
    }
    case 'held':
      return `held by ${holds.join(', ')}${reversal === null ? '' : `; its charge went back (${reversal})`}`
    case 'waiting':
      return `waiting for something of ours (${why})`
    case 'delivered':
      return `delivered at ${time(deliveredAt ?? 0)}, reference ${proof ?? 'unknown'}`
    case 'failed':
      return `failed (${why}), and owed back`
    case 'paidBack':
      return `failed (${why}), and paid back`
    case 'handingOver':
    case 'handedOver':
      return `with ${provider} since ${time(since)}, reference ${reference}${isCalledOff(order) ? `; called off (${reversal ?? failure}) unless ${provider} pays it` : ''}`
  }
}

/** UTC milliseconds as '2026-11-20 12:00 UTC'. */
const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
