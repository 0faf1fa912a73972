import * as v from 'valibot'
import { integer, type Output } from '../common/schema.ts'
import { money, SOURCE_CURRENCIES } from '../money/money.ts'
import type { DeliveryStage } from './deliverySchema.ts'

export const PUSH_KINDS = ['delivered', 'paidBack'] as const
export type PushKind = (typeof PUSH_KINDS)[number]

/** A canceled transfer gets none: the text of `paidBack` is about transfers that could not be delivered. */
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
    /** Last digits, so that a locked screen shows no more. */
    phoneEnd: v.string(),
    language: v.picklist(['fr', 'en']),
  }),
  v.transform(({ minor, currency, ...message }) => ({ ...message, gross: money(minor, currency) })),
)

export type PushMessage = Output<typeof pushSchema>

export const serializePush = ({ gross: { minor, currency }, ...message }: PushMessage): string =>
  JSON.stringify({ ...message, minor, currency })

const SHOWN_DIGITS = 2

export const getLastPhoneDigits = (phone: string): string => phone.slice(-SHOWN_DIGITS)

/** A P-256 point in base64url; whether it is on the curve is not checked. */
export const PUBLIC_KEY_PATTERN = /^B[\w-]{86}$/

/** Chrome, Samsung Internet and Opera; Firefox; Safari; Edge. */
const PUSH_SERVICES =
  /^(?:fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|web\.push\.apple\.com|[a-z0-9-]+\.notify\.windows\.com)$/

export const MAX_ENDPOINT_LENGTH = 1024

/** Only known services, because the browser supplies the endpoint. `own`: one more, null in production. */
export function isPushEndpoint(endpoint: string, own: string | null): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, origin, port, username, password } = new URL(endpoint)
  if (username || password) return false
  if (own !== null && origin === own) return true
  return protocol === 'https:' && port === '' && PUSH_SERVICES.test(hostname)
}
