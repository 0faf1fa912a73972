import * as v from 'valibot'
import { integer, type Output } from '../common/schema.ts'
import { money, SOURCE_CURRENCIES } from '../money/money.ts'
import type { DeliveryStage } from './deliverySchema.ts'

// Push notifications about transfers: the functions send them, the service worker shows them.

/**
 * The stages with a notification: the money has arrived, or the card was refunded in full. Other stages are
 * shown only in the app.
 */
export const PUSH_KINDS = ['delivered', 'paidBack'] as const
export type PushKind = (typeof PUSH_KINDS)[number]

/**
 * Returns the notification for a delivery that changed its stage; null for none. A canceled transfer gets
 * none, because the text of `paidBack` is about transfers that could not be delivered.
 */
export function choosePushKind(before: DeliveryStage, stage: DeliveryStage): PushKind | null {
  if (before === 'canceled') return null
  return PUSH_KINDS.find((kind) => kind === stage && stage !== before) ?? null
}

export const pushSchema = v.pipe(
  v.object({
    kind: v.picklist(PUSH_KINDS),
    /** Transfer ID. */
    id: v.string(),
    /** The charged amount. */
    minor: integer,
    currency: v.picklist(SOURCE_CURRENCIES),
    /** Last digits of the recipient's number, so that a locked screen shows no more. */
    phoneEnd: v.string(),
    language: v.picklist(['fr', 'en']),
  }),
  v.transform(({ minor, currency, ...message }) => ({ ...message, gross: money(minor, currency) })),
)

/** The payload for a device. Its service worker chooses the text. */
export type PushMessage = Output<typeof pushSchema>

/** Writes the JSON that `pushSchema` parses. */
export const serializePush = ({ gross: { minor, currency }, ...message }: PushMessage): string =>
  JSON.stringify({ ...message, minor, currency })

/** How many digits of the recipient's number a notification shows. */
const SHOWN_DIGITS = 2

export const getLastPhoneDigits = (phone: string): string => phone.slice(-SHOWN_DIGITS)

/**
 * A public key as browsers and `web-push` write it: a P-256 point in base64url. Does not check that it is on
 * the curve.
 */
export const PUBLIC_KEY_PATTERN = /^B[\w-]{86}$/

/** The push services of Chrome, Samsung Internet and Opera; Firefox; Safari; Edge. */
const PUSH_SERVICES =
  /^(?:fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|web\.push\.apple\.com|[a-z0-9-]+\.notify\.windows\.com)$/

/** Maximum characters of an endpoint; more than any service needs. */
export const MAX_ENDPOINT_LENGTH = 1024

/**
 * Whether messages may be sent to this endpoint. The browser supplies it, so only known services are allowed.
 * `own`: one more allowed origin; null in production.
 */
export function isPushEndpoint(endpoint: string, own: string | null): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, origin, port, username, password } = new URL(endpoint)
  if (username || password) return false
  if (own !== null && origin === own) return true
  return protocol === 'https:' && port === '' && PUSH_SERVICES.test(hostname)
}
