import { type DeliveryOrder, FINAL_FAILURES } from '../../domain/delivery.ts'
import { formatMoney, toMajor } from '../../domain/money.ts'
import { walletName } from '../../domain/wallets.ts'
import type { DeliveryEvent } from '../../machines/delivery.ts'
import { claim } from '../../netlify/server/operations/handPayments.ts'
import { tellDelivery } from '../../netlify/server/payments/deliver.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import { deliveryBatchIn, deliveryIn } from '../../netlify/server/platform/readers.ts'
import { deliveries as deliveriesOf, deliveryBatches } from '../../netlify/server/platform/records.ts'
import { Usage } from './chosenSettings.ts'

const HELP = `What about the transfers that people pay? Say one of these:
  list                                    what is due, in hand, held, or waits for an account of ours
  claim --by WHO [--export F.csv] [ID…]   takes what is due in hand, all of it or these; the file is for a bank or an agent
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
  if (ids.length !== 1 || !/^pi_\w+$/.test(id)) throw new Usage(HELP)
  switch (command) {
    case 'delivered': {
      const proof = reference?.trim()
      if (!proof) throw new Usage(HELP)
      return says(tell(context, id, () => ({ type: 'payout.delivered', proof, at: context.now() })))
    }
    case 'failed': {
      const failure = FINAL_FAILURES.find((one) => one === reason)
      if (!failure) throw new Usage(HELP)
      return says(tell(context, id, () => ({ type: 'order.giveUp', failure })))
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

async function tell(
  context: Context,
  id: string,
  event: (order: DeliveryOrder) => DeliveryEvent,
): Promise<readonly string[]> {
  const told = await tellDelivery(context, id, event)
  if (!told) return [`${id} has no delivery order: it was paid before anybody paid out, or nobody knows it.`]
  const line = await lineOf(context, id, told.order)
  return told.isTaken ? ['Done.', line] : ['Nothing is changed: that contradicts the records.', line]
}

async function list(context: Context): Promise<readonly string[]> {
  const all = deliveriesOf(context.db)
  const found = await Promise.all([
    all.where('isByHand', '==', true).where('state', '==', 'due').orderBy('createdAt').limit(MOST).get(),
    ...['claimed', 'held', 'waiting'].map((state) => all.where('state', '==', state).limit(MOST).get()),
  ])
  const orders = found.flatMap(({ docs }) =>
    docs.flatMap((document) => {
      const order = deliveryIn(document)
      return order ? [{ id: document.id, order }] : []
    }),
  )
  const lines = await Promise.all(orders.map(({ id, order }) => lineOf(context, id, order)))
  return lines.length > 0 ? lines : ['Nothing is due, in hand, held or waiting.']
}

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
  const orders = await Promise.all(
    mine.map(async (id) => ({ id, order: deliveryIn(await deliveriesOf(context.db).doc(id).get()) })),
  )
  return {
    lines: [
      `${mine.length} in hand, as the batch ${batch}.`,
      ...[...claimed].flatMap(([id, what]) => {
        if (what === 'claimed') return []
        return what === 'calledOff' ? `${id}: its charge went back, so nobody pays it.` : `${id} is not due.`
      }),
    ],
    file: hasFile ? csvOf(orders.flatMap(({ id, order }) => (order ? [{ id, order, batch }] : []))) : null,
  }
}

/** By RFC 4180, for a bank or an agent: amounts in major units, with a point. */
function csvOf(
  orders: readonly { readonly id: string; readonly order: DeliveryOrder; readonly batch: string }[],
): string {
  const rows = orders.map(({ id, order: { amount, phone, wallet }, batch }) => [
    id,
    walletName(wallet) ?? wallet,
    phone,
    String(toMajor(amount)),
    amount.currency,
    batch,
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
  const { state, holds, batch, failure, proof, reversal, deliveredAt } = order
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
      return `held by ${holds.join(', ')}`
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
      return 'in the hands of its provider'
  }
}

/** UTC milliseconds as '2026-11-20 12:00 UTC'. */
const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
