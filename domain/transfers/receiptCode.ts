import { verifyAsync } from '@noble/ed25519'
import { decodeBase64Url, encodeBase64Url } from '../common/base64Url.ts'
import { SECOND } from '../common/duration.ts'
import { err, ok, type Result } from '../common/result.ts'
import { type Currency, type Money, money } from '../money/money.ts'
import { isRetired, type ReceiptKey } from './receiptKeys.ts'

/** As the recipient sees them. The code stores the place in this list. */
export const RECEIPT_STATES = ['paid', 'handedOver', 'delivered', 'goingBack', 'wentBack'] as const
export type ReceiptState = (typeof RECEIPT_STATES)[number]

/** Nothing personal beyond the receipt's picture. */
export interface ReceiptFacts {
  /** Transfer ID. */
  readonly id: string
  /** The amount that arrives. */
  readonly amount: Money
  /** From `maskPhone`. */
  readonly maskedPhone: string
  readonly state: ReceiptState
  /** When the state began, in UTC ms; the code stores whole seconds. */
  readonly at: number
  /** Firebase project ID. */
  readonly deployment: string
}

export type ReceiptCodeProblem =
  /** Another text, such as the address of another page. */
  | { readonly kind: 'notReceipt' }
  | { readonly kind: 'altered' }
  | { readonly kind: 'otherDeployment'; readonly deployment: string }
  /** Forged, or signed after this app was built. */
  | { readonly kind: 'unknownKey' }

interface ParsedCode {
  readonly facts: ReceiptFacts
  readonly keyId: string
  readonly signed: Uint8Array<ArrayBuffer>
  readonly signature: Uint8Array<ArrayBuffer>
}

const VERSION = 1
const KEY_ID_LENGTH = 4
const SIGNATURE_LENGTH = 64
const CURRENCIES: readonly Currency[] = ['EUR', 'CAD', 'GNF']

/** Version, key ID, state, currency, amount, time; then three texts, each after its length. */
const HEAD_LENGTH = 1 + KEY_ID_LENGTH + 1 + 1 + 8 + 4

const TEXTS = {
  id: /^pi_\w{1,60}$/,
  maskedPhone: /^\+?\d{0,3}\*{0,15}\d{2}$/,
  deployment: /^[a-z0-9-]{1,30}$/,
}

/** In characters. The longest that is signed has fewer. */
const MAX_CODE_LENGTH = 300

const getKeyId = (publicKey: Uint8Array) => encodeBase64Url(publicKey.subarray(0, KEY_ID_LENGTH))

/** The bytes to sign; null if a fact has no place in the code, because no payout may fail for its receipt. */
export function encodeReceiptFacts(
  facts: ReceiptFacts,
  { publicKey }: Pick<ReceiptKey, 'publicKey'>,
): Uint8Array<ArrayBuffer> | null {
  const texts = [facts.id, facts.maskedPhone, facts.deployment].map((text) => new TextEncoder().encode(text))
  const bytes = new Uint8Array(HEAD_LENGTH + texts.reduce((sum, { length }) => sum + 1 + length, 0))
  const view = new DataView(bytes.buffer)
  view.setUint8(0, VERSION)
  bytes.set(publicKey.subarray(0, KEY_ID_LENGTH), 1)
  view.setUint8(5, RECEIPT_STATES.indexOf(facts.state))
  view.setUint8(6, CURRENCIES.indexOf(facts.amount.currency))
  view.setBigUint64(7, BigInt(facts.amount.minor))
  view.setUint32(15, Math.floor(facts.at / SECOND))
  let place = HEAD_LENGTH
  for (const text of texts) {
    view.setUint8(place, text.length)
    bytes.set(text, place + 1)
    place += 1 + text.length
  }
  return readFacts(bytes) && bytes
}

/** Path of the recipient's page. */
export function buildReceiptPath(signed: Uint8Array, signature: Uint8Array): string {
  const code = new Uint8Array(signed.length + signature.length)
  code.set(signed)
  code.set(signature, signed.length)
  return `/t/${encodeBase64Url(code)}`
}

/**
 * `text`: a URL or path of the recipient's page. The signature is valid for ever, but a refund or a dispute may
 * have followed the state.
 */
export async function verifyReceiptCode(
  text: string,
  { deployment, keys }: { readonly deployment: string; readonly keys: readonly ReceiptKey[] },
): Promise<Result<ReceiptFacts, ReceiptCodeProblem>> {
  const parsed = parseReceiptCode(text)
  if (!parsed.ok) return parsed
  const { facts, keyId, signed, signature } = parsed.value
  if (facts.deployment !== deployment) return err({ kind: 'otherDeployment', deployment: facts.deployment })
  const key = keys.find(({ publicKey }) => getKeyId(publicKey) === keyId)
  if (!key) return err({ kind: 'unknownKey' })
  const isGenuine =
    !isRetired(key, facts.at) && (await verifyAsync(signature, signed, key.publicKey, { zip215: false }))
  return isGenuine ? ok(facts) : err({ kind: 'altered' })
}

/** Without verifying the signature. */
function parseReceiptCode(text: string): Result<ParsedCode, ReceiptCodeProblem> {
  const [, code] = /^(?:https?:\/\/[^/?#]+)?\/t\/([^/?#]*)(?:[?#].*)?$/.exec(text) ?? []
  if (code === undefined) return err({ kind: 'notReceipt' })
  const bytes = code.length > MAX_CODE_LENGTH ? null : decodeBase64Url(code)
  const signed = bytes?.slice(0, -SIGNATURE_LENGTH)
  const facts = signed && readFacts(signed)
  if (!bytes || !signed || !facts) return err({ kind: 'altered' })
  const keyId = encodeBase64Url(signed.subarray(1, 1 + KEY_ID_LENGTH))
  return ok({ facts, keyId, signed, signature: bytes.slice(-SIGNATURE_LENGTH) })
}

function readFacts(bytes: Uint8Array<ArrayBuffer>): ReceiptFacts | null {
  if (bytes.length < HEAD_LENGTH || bytes[0] !== VERSION) return null
  const view = new DataView(bytes.buffer)
  const state = RECEIPT_STATES[view.getUint8(5)]
  const currency = CURRENCIES[view.getUint8(6)]
  const minor = Number(view.getBigUint64(7))
  let place = HEAD_LENGTH
  const readText = (form: RegExp) => {
    const length = bytes[place] ?? 0
    const text = String.fromCharCode(...bytes.subarray(place + 1, place + 1 + length))
    place += 1 + length
    return form.test(text) ? text : null
  }
  const id = readText(TEXTS.id)
  const maskedPhone = readText(TEXTS.maskedPhone)
  const deployment = readText(TEXTS.deployment)
  if (!state || !currency || !Number.isSafeInteger(minor) || minor === 0) return null
  if (id === null || maskedPhone === null || deployment === null || place !== bytes.length) return null
  return {
    id,
    amount: money(minor, currency),
    maskedPhone,
    state,
    at: view.getUint32(15) * SECOND,
    deployment,
  }
}
