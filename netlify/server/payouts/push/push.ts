import { createHash } from 'node:crypto'
import { type PushKind, type PushMessage, phoneEndOf, writePush } from '../../../../domain/push.ts'
import { amountsOf } from '../../../../domain/transaction.ts'
import { withTimeout } from '../../platform/context.ts'
import {
  type PushSubscriptionRecord,
  parsePushSubscription,
  parseTransaction,
} from '../../platform/documents.ts'
import { traceOf } from '../../platform/log.ts'
import type { PushSettings } from '../../platform/payoutSettings.ts'
import { subscriptionsOf } from '../../platform/pushSubscriptions.ts'
import { transactions } from '../../platform/records.ts'
import type { PayoutContext } from '../payoutContext.ts'

/** How long telling all devices of a person may take, in milliseconds. A push service answers in some hundred. */
const WITHIN = 3_000

/** For how long a push service keeps it for a device that is off, in seconds: what is older, the app tells when it is opened. */
const TTL = 24 * 3600

export interface PushNews {
  readonly uid: string
  /** The transfer's id. */
  readonly id: string
  readonly kind: PushKind
}

/**
 * Begins to tell every device of a person that something became of a transfer. It is the best that can be done: what fails or takes too
 * long is logged and never told again, and the app says the same when it is opened. Never throws, and nothing waits for it but the end
 * of the function (`beside`).
 */
export function tellDevices(context: PayoutContext, news: PushNews): void {
  const { push, log, beside } = context
  if (push === null) return
  const work = withTimeout({ patience: WITHIN }, tellAll(context, push, news))
    .catch((error) =>
      log({ level: 'error', event: 'pushFailed', paymentIntentId: news.id, ...traceOf(error) }),
    )
    .finally(() => beside.delete(work))
  beside.add(work)
}

async function tellAll(
  context: PayoutContext,
  push: PushSettings,
  { uid, id, kind }: PushNews,
): Promise<void> {
  const { db, accounts, log } = context
  const { docs } = await subscriptionsOf(context, uid).get()
  if (docs.length === 0) return
  const [account, stored] = await Promise.all([accounts.find(uid), transactions(db).doc(id).get()])
  const transaction = parseTransaction(stored.data())
  const { gross } = amountsOf(transaction)
  const message = { id, kind, gross, phoneEnd: phoneEndOf(transaction.recipientPhone) }
  const outcomes = await Promise.all(
    docs.map(async (document) => {
      const device = parsePushSubscription(document)
      // A session that has ended since, by whatever way, is told nothing any more.
      const isOver = !device || !account || account.isDisabled || device.issuedAt < account.validSince
      const outcome = isOver
        ? 'pushGone'
        : await tellDevice(context, push, device, { ...message, language: device.language })
      // Unless its person, or the next one, has subscribed again meanwhile.
      if (outcome === 'pushGone' && document.updateTime)
        await document.ref.delete({ lastUpdateTime: document.updateTime }).catch(() => undefined)
      return outcome
    }),
  )
  for (const event of EVENTS) {
    const count = outcomes.filter((outcome) => outcome === event).length
    const level = event === 'pushRefused' || event === 'pushSilent' ? 'error' : 'info'
    if (count > 0) log({ level, event, paymentIntentId: id, count })
  }
}

/** What became of a message to a device, as the log names it. */
const EVENTS = ['pushTold', 'pushGone', 'pushRefused', 'pushSilent'] as const
type Outcome = (typeof EVENTS)[number]

async function tellDevice(
  { fetch, log }: PayoutContext,
  { publicKey, privateKey, subject }: PushSettings,
  { endpoint, p256dh, auth }: PushSubscriptionRecord,
  message: PushMessage,
): Promise<Outcome> {
  // Few of those that settle a payment have a device to tell.
  const { default: webPush } = await import('web-push')
  const { method, headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    writePush(message),
    {
      vapidDetails: { subject, publicKey, privateKey },
      TTL,
      // Otherwise a phone that sleeps hears of it when it is looked at.
      urgency: 'high',
      // Of one transfer the push service keeps the last news alone.
      topic: createHash('sha256').update(message.id).digest('base64url').slice(0, 32),
    },
  )
  const { 'Content-Length': _, ...sent } = headers
  const response = await fetch(endpoint, {
    method,
    headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)])),
    body: new Uint8Array(body ?? []),
    // The address was a push service's; where it leads on to is anybody's.
    redirect: 'manual',
    signal: AbortSignal.timeout(WITHIN),
  }).catch(() => null)
  if (response === null) return 'pushSilent'
  const { status } = response
  if (status === 404 || status === 410) return 'pushGone'
  if (response.ok) return 'pushTold'
  log({ level: 'error', event: 'pushAnswered', paymentIntentId: message.id, status })
  return 'pushRefused'
}
