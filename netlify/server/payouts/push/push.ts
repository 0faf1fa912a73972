import { createHash } from 'node:crypto'
import {
  getLastPhoneDigits,
  type PushKind,
  type PushMessage,
  serializePush,
} from '../../../../domain/transfers/push.ts'
import { getAmounts } from '../../../../domain/transfers/transaction.ts'
import { queryPushSubscriptions } from '../../accounts/pushSubscriptions.ts'
import { withTimeout } from '../../platform/context.ts'
import {
  type PushSubscriptionRecord,
  parsePushSubscription,
  parseTransaction,
} from '../../platform/documents.ts'
import { getTrace } from '../../platform/log.ts'
import { transactions } from '../../platform/records.ts'
import type { PayoutContext } from '../payoutContext.ts'
import type { PushSettings } from '../settings.ts'

/** A push service usually answers within a few hundred milliseconds. */
const WITHIN = 3_000

/** In seconds. The app shows older news when it is opened. */
const TTL = 24 * 3600

export interface PushNotice {
  readonly uid: string
  readonly id: string
  readonly kind: PushKind
}

/** Never throws. A failure is not repeated, because the app shows the same when it is opened. */
export function sendPush(context: PayoutContext, news: PushNotice): void {
  const { push, log, backgroundWork } = context
  if (push === null) return
  const work = withTimeout({ serviceTimeout: WITHIN }, notifyAllDevices(context, push, news))
    .catch((error) =>
      log({ level: 'error', event: 'pushFailed', paymentIntentId: news.id, ...getTrace(error) }),
    )
    .finally(() => backgroundWork.delete(work))
  backgroundWork.add(work)
}

async function notifyAllDevices(
  context: PayoutContext,
  push: PushSettings,
  { uid, id, kind }: PushNotice,
): Promise<void> {
  const { db, accounts, log } = context
  const { docs } = await queryPushSubscriptions(context, uid).get()
  if (docs.length === 0) return
  const [account, stored] = await Promise.all([accounts.find(uid), transactions(db).doc(id).get()])
  const transaction = parseTransaction(stored.data())
  const { gross } = getAmounts(transaction)
  const message = { id, kind, gross, phoneEnd: getLastPhoneDigits(transaction.recipientPhone) }
  const outcomes = await Promise.all(
    docs.map(async (document) => {
      const device = parsePushSubscription(document)
      // A device whose session has ended gets no more notifications.
      const isOver = !device || !account || account.isDisabled || device.issuedAt < account.validSince
      const outcome = isOver
        ? 'pushExpired'
        : // Encrypting for invalid keys throws; the other devices must not be affected.
          await notifyDevice(context, push, device, { ...message, language: device.language }).catch(
            (error): Outcome => {
              log({ level: 'error', event: 'pushThrew', paymentIntentId: id, ...getTrace(error) })
              return 'pushUnsendable'
            },
          )
      // Keeps the document if a user has subscribed again during the request.
      if (outcome === 'pushExpired' && document.updateTime)
        await document.ref.delete({ lastUpdateTime: document.updateTime }).catch(() => undefined)
      return outcome
    }),
  )
  for (const event of EVENTS) {
    const count = outcomes.filter((outcome) => outcome === event).length
    const level = event === 'pushSent' || event === 'pushExpired' ? 'info' : 'error'
    if (count > 0) log({ level, event, paymentIntentId: id, count })
  }
}

const EVENTS = ['pushSent', 'pushExpired', 'pushRefused', 'pushTimedOut', 'pushUnsendable'] as const
type Outcome = (typeof EVENTS)[number]

async function notifyDevice(
  { fetch, log }: PayoutContext,
  { publicKey, privateKey, subject }: PushSettings,
  { endpoint, p256dh, auth }: PushSubscriptionRecord,
  message: PushMessage,
): Promise<Outcome> {
  // Few users who settle a payment have a device to notify.
  const { default: webPush } = await import('web-push')
  const { method, headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    serializePush(message),
    {
      vapidDetails: { subject, publicKey, privateKey },
      TTL,
      // With a lower urgency, a sleeping phone would show it only when it wakes.
      urgency: 'high',
      // The push service keeps only the latest message about a transfer.
      topic: createHash('sha256').update(message.id).digest('base64url').slice(0, 32),
    },
  )
  const { 'Content-Length': _, ...sent } = headers
  const response = await fetch(endpoint, {
    method,
    headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)])),
    body: new Uint8Array(body ?? []),
    // Only the original URL was checked to be a push service.
    redirect: 'manual',
    signal: AbortSignal.timeout(WITHIN),
  }).catch(() => null)
  if (response === null) return 'pushTimedOut'
  const { status } = response
  if (status === 404 || status === 410) return 'pushExpired'
  if (response.ok) return 'pushSent'
  log({ level: 'error', event: 'pushResponse', paymentIntentId: message.id, status })
  return 'pushRefused'
}
