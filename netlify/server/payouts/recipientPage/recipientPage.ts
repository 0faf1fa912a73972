import { MINUTE } from '../../../../domain/common/duration.ts'
import type { Language } from '../../../../domain/common/language.ts'
import { fromMajor } from '../../../../domain/money/money.ts'
import { getFirstName } from '../../../../domain/numbers/firstName.ts'
import { deriveTrackingState } from '../../../../domain/payouts/trackingState.ts'
import { type Context, withTimeout } from '../../platform/context.ts'
import { parseTransaction } from '../../platform/documents.ts'
import { getTrace } from '../../platform/log.ts'
import { listNetworkKeys } from '../../platform/networks.ts'
import { consumeRateLimits, type RateLimit } from '../../platform/rateLimits.ts'
import { transactions, users } from '../../platform/records.ts'
import { deliveries, parseDeliveryOrder } from '../orderRecords.ts'
import { verifyRecipientLink } from './links.ts'
import { type RecipientPageContent, renderRecipientPage, type TransferStatus } from './render.ts'

const TEN_MINUTES = 10 * MINUTE

/** The signature can't be guessed; the limits only keep guessing cheap for us. */
const limit = (name: string, most: number): RateLimit => ({
  name: `recipientPage/${name}`,
  most,
  windowMs: TEN_MINUTES,
})
const PER_NETWORK = { signed: limit('network', 600), forged: limit('network/forged', 600) }
const PER_SUBNET = { signed: limit('subnet', 60), forged: limit('subnet/forged', 60) }

/**
 * A wrong signature, an unknown transfer and a deleted sender get the same answer after the same work. No
 * transfer is read before its signature is verified. @param ip the caller's address as the host reports it;
 * never from a header that the caller can set.
 */
export async function serveRecipientPage(context: Context, request: Request, ip: string): Promise<Response> {
  const address = new URL(request.url)
  const content = await readPageContent(context, address.pathname, ip).catch(
    (error: unknown): RecipientPageContent => {
      context.log({ level: 'error', event: 'functionFailed', function: 'recipient-page', ...getTrace(error) })
      return { kind: 'silent' }
    },
  )
  return renderRecipientPage(content, {
    language: negotiateLanguage(address, request.headers.get('accept-language')),
    address,
  })
}

async function readPageContent(context: Context, path: string, ip: string): Promise<RecipientPageContent> {
  const link = await verifyRecipientLink(context, path)
  // One IP address may serve a whole country with valid links.
  const whose = link.kind === 'forged' ? 'forged' : 'signed'
  const limits = { network: PER_NETWORK[whose], subnet: PER_SUBNET[whose] }
  const turn = await withTimeout(context, consumeRateLimits(context, listNetworkKeys(ip, limits)))
  if (!turn.ok) return { kind: 'tooMany', waitMs: turn.error.waitMs }
  if (link.kind === 'ended') return link
  const status = await withTimeout(
    context,
    readTransferStatus(context, link.kind === 'open' ? link.facts.id : NOBODY),
  )
  return status && link.kind === 'open' ? { ...link, kind: 'transfer', status } : { kind: 'nothing' }
}

/** Looked up so that every answer takes the same work. */
const NOBODY = 'no-such-user'

async function readTransferStatus({ db, now }: Context, id: string): Promise<TransferStatus | null> {
  const [transfer, ordered] = await db.getAll(transactions(db).doc(id), deliveries(db).doc(id))
  const stored = transfer?.data()
  const transaction = stored ? parseTransaction(stored) : null
  const sender = await users(db)
    .doc(transaction?.senderId ?? NOBODY)
    .get()
  if (!transaction || !sender.exists) return null
  const order = parseDeliveryOrder(ordered) ?? null
  return {
    id,
    senderFirstName: getFirstName(transaction.senderName ?? ''),
    recipientFirstName: getFirstName(transaction.recipientName ?? ''),
    arrives: fromMajor(transaction.convertedAmount, transaction.destinationCurrency),
    phone: transaction.recipientPhone,
    country: transaction.destination.code,
    wallet: order?.wallet ?? transaction.receivingMethod,
    reference: order?.state === 'delivered' ? order.proof : null,
    tracking: deriveTrackingState(transaction, order, now()),
  }
}

function negotiateLanguage({ searchParams }: URL, accepted: string | null): Language {
  const chosen = searchParams.get('lang')
  if (chosen === 'fr' || chosen === 'en') return chosen
  const wanted = (accepted ?? '')
    .split(',')
    .map((one, place) => {
      const [, language = '', quality] = /^\s*(\w+)[\w-]*\s*(?:;\s*q=([\d.]+))?/i.exec(one) ?? []
      return { language: language.toLowerCase(), quality: Number(quality ?? 1), place }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.place - b.place)
  return wanted.find(({ language }) => language === 'fr' || language === 'en')?.language === 'en'
    ? 'en'
    : 'fr'
}
