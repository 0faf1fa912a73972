import type { Language } from './language.ts'
import { type Money, money, SOURCE_CURRENCIES, type SourceCurrency } from './money.ts'
import { integer, object, picklist, type Schema, string } from './schema.ts'
import type { DeliveryStage } from './schemas/delivery.ts'

// What is told of a transfer with the app closed. The functions send it, the service worker shows it.

/** What is worth a notification: the money is there, or the card has all of it again. What lies between is told in the app. */
export const PUSH_KINDS = ['delivered', 'paidBack'] as const
export type PushKind = (typeof PUSH_KINDS)[number]

/** What is pushed of a delivery that has come from one stage to another; null when it is nothing. */
export function pushFor(before: DeliveryStage, stage: DeliveryStage): PushKind | null {
  return PUSH_KINDS.find((kind) => kind === stage && stage !== before) ?? null
}

/** What a device is sent; the text is made there. */
export interface PushMessage {
  readonly kind: PushKind
  /** The transfer's id. */
  readonly id: string
  /** What the card was charged. */
  readonly gross: Money<SourceCurrency>
  /** The last digits of the recipient's number: who looks at a locked phone learns no more. */
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

/** The message as it is sent. */
export const writePush = ({ gross: { minor, currency }, ...message }: PushMessage): string =>
  JSON.stringify({ ...message, minor, currency })

/** The opposite of `writePush`, of what was parsed. @throws Misfit when it is something else, such as one of a newer server. */
export const readPush: Schema<PushMessage> = (value) => {
  const { minor, currency, ...message } = stored(value)
  return { ...message, gross: money(minor, currency) }
}

/** How many of the last digits of a number are told. */
const DIGITS_TOLD = 2

export const phoneEndOf = (phone: string): string => phone.slice(-DIGITS_TOLD)

/** A public key as browsers and `web-push` write it: a point of P-256, base64url. Whether it is on the curve, this does not say. */
export const PUBLIC_KEY = /^B[\w-]{86}$/

/** The push services of the browsers that people have: Chrome, Samsung and Opera; Firefox; Safari; Edge. */
const PUSH_SERVICES =
  /^(?:fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|web\.push\.apple\.com|[a-z0-9-]+\.notify\.windows\.com)$/

/** How many characters an address may have: more than any of them needs. */
export const LONGEST_ENDPOINT = 1024

/**
 * Whether messages may be sent to this address. A browser names it, so anybody can name anything: only known services are asked. `own`:
 * the origin of one more, which is none in production.
 */
export function isPushEndpoint(endpoint: string, own: string | null): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, origin, port, username, password } = new URL(endpoint)
  if (username || password) return false
  if (own !== null && origin === own) return true
  return protocol === 'https:' && port === '' && PUSH_SERVICES.test(hostname)
}
