import type { Language } from './language.ts'
import { type Money, money, SOURCE_CURRENCIES, type SourceCurrency } from './money.ts'
import { integer, object, picklist, type Schema, string } from './schema.ts'
import type { DeliveryStage } from './schemas/delivery.ts'

// Push notifications about transfers: the functions send them, the service worker shows them.

/**
 * The stages with a notification: the money has arrived, or the card was refunded in full. Other stages are
 * shown only in the app.
 */
export const PUSH_KINDS = ['delivered', 'paidBack'] as const
export type PushKind = (typeof PUSH_KINDS)[number]

/**
 * Returns the notification for a delivery that changed its stage; null for none. A sender who canceled the
 * transfer expects the refund, and the text of `paidBack` is about transfers that could not be delivered.
 */
export function choosePushKind(before: DeliveryStage, stage: DeliveryStage): PushKind | null {
  if (before === 'canceled') return null
  return PUSH_KINDS.find((kind) => kind === stage && stage !== before) ?? null
}

/** The payload for a device. Its service worker chooses the text. */
export interface PushMessage {
  readonly kind: PushKind
  /** Transfer ID. */
  readonly id: string
  /** The charged amount. */
  readonly gross: Money<SourceCurrency>
  /** Last digits of the recipient's number, so that a locked screen shows no more. */
  readonly phoneEnd: string
  readonly language: Language
}

const stored = object({
  kind: picklist(...PUSH_KINDS),
  id: string,
  minor: integer,
  currency: picklist(...SOURCE_CURRENCIES),
  phoneEnd: string,
  language: picklist<Language>('fr', 'en'),
})

export const serializePush = ({ gross: { minor, currency }, ...message }: PushMessage): string =>
  JSON.stringify({ ...message, minor, currency })

/**
 * The inverse of `serializePush`, for parsed JSON. @throws ValidationError for anything else, such as a newer
 * server's message.
 */
export const parsePush: Schema<PushMessage> = (value) => {
  const { minor, currency, ...message } = stored(value)
  return { ...message, gross: money(minor, currency) }
}

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
