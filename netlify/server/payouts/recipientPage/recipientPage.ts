import { MINUTE } from '../../../../domain/duration.ts'
import { firstNameOf } from '../../../../domain/firstName.ts'
import type { Language } from '../../../../domain/language.ts'
import { fromMajor } from '../../../../domain/money.ts'
import { fallback, object, string } from '../../../../domain/schema.ts'
import { trackingOf } from '../../../../domain/tracking.ts'
import { type Context, withTimeout } from '../../platform/context.ts'
import { documentParser, parseDeliveryOrder, parseTransaction } from '../../platform/documents.ts'
import { traceOf } from '../../platform/log.ts'
import { networkTurns } from '../../platform/networks.ts'
import { type Limit, takeTurn } from '../../platform/rateLimits.ts'
import { deliveries, transactions, users } from '../../platform/records.ts'
import { readRecipientLink } from './links.ts'
import { paint, type Shown, type Told } from './paint.ts'

const TEN_MINUTES = 10 * MINUTE

/** A mobile network puts thousands of customers behind one IPv4 address. Nobody guesses 128 bits; who tries is not to cost much. */
const limit = (name: string, most: number): Limit => ({
  name: `recipientPage/${name}`,
  most,
  windowMs: TEN_MINUTES,
})
const PER_NETWORK = { signed: limit('network', 600), forged: limit('network/forged', 600) }
const PER_SUBNET = { signed: limit('subnet', 60), forged: limit('subnet/forged', 60) }

/**
 * The page that tells a recipient, who has no account, where a transfer stands. It opens by its signed address alone. Whoever guesses gets the same answer
 * after the same work, whether the signature is wrong, the transfer unknown or the account of the sender gone; nothing of a transfer is read
 * before its signature is found to be ours.
 *
 * @param ip where the call comes from, as the host says; never from a header that the caller can write.
 */
export async function recipientPage(context: Context, request: Request, ip: string): Promise<Response> {
  const address = new URL(request.url)
  const shown = await shownAt(context, address.pathname, ip).catch((error: unknown): Shown => {
    context.log({ level: 'error', event: 'failed', function: 'recipient-page', ...traceOf(error) })
    return { kind: 'silent' }
  })
  return paint(shown, { language: languageOf(address, request.headers.get('accept-language')), address })
}

async function shownAt(context: Context, path: string, ip: string): Promise<Shown> {
  const link = readRecipientLink(context, path)
  // Who guesses uses up nothing of those who have a link, and behind one address may be a whole country.
  const whose = link.kind === 'forged' ? 'forged' : 'signed'
  const limits = { network: PER_NETWORK[whose], subnet: PER_SUBNET[whose] }
  const turn = await withTimeout(context, takeTurn(context, networkTurns(ip, limits)))
  if (!turn.ok) return { kind: 'tooMany', waitMs: turn.error.waitMs }
  if (link.kind === 'ended') return { kind: 'ended' }
  const told = await withTimeout(context, toldOf(context, link.kind === 'open' ? link.id : NOBODY))
  return told && link.kind === 'open'
    ? { kind: 'transfer', told: { ...told, endsAt: link.endsAt } }
    : { kind: 'nothing' }
}

/** No document has such an id. It is looked for, so that every answer takes the same work. */
const NOBODY = 'nobody at all'

const profileIn = documentParser(object({ name: fallback(string, null) }))

async function toldOf({ db, now }: Context, id: string): Promise<Omit<Told, 'endsAt'> | null> {
  const [transfer, ordered] = await db.getAll(transactions(db).doc(id), deliveries(db).doc(id))
  const stored = transfer?.data()
  const transaction = stored ? parseTransaction(stored) : null
  const profile = profileIn(
    await users(db)
      .doc(transaction?.senderId ?? NOBODY)
      .get(),
  )
  if (!transaction || !profile) return null
  const order = parseDeliveryOrder(ordered) ?? null
  return {
    firstName: firstNameOf(profile.name ?? ''),
    arrives: fromMajor(transaction.convertedAmount, transaction.destinationCurrency),
    phone: transaction.recipientPhone,
    country: transaction.destination.code,
    wallet: order?.wallet ?? transaction.receivingMethod,
    reference: order?.state === 'delivered' ? order.proof : null,
    tracking: trackingOf(transaction, order, now()),
  }
}

/** As the address says, or else the browser; French for who asks for neither. */
function languageOf({ searchParams }: URL, accepted: string | null): Language {
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
