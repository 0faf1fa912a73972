import * as v from 'valibot'
import { decodeBase64Url } from '../common/base64Url.ts'

const KEY_LENGTH = 32

const receiptKey = v.pipe(
  v.string(),
  v.regex(/^[\w-]{43}@2\d{3}(-2\d{3})?$/),
  v.transform((text) => {
    const [encoded = '', years = ''] = text.split('@')
    const [from, until] = years.split('-').map(Number)
    return { encoded, publicKey: decodeBase64Url(encoded), from: from ?? 0, until: until ?? null }
  }),
  v.object({
    /** In base64url. */
    encoded: v.string(),
    publicKey: v.custom<Uint8Array<ArrayBuffer>>(
      (value) => value instanceof Uint8Array && value.length === KEY_LENGTH,
    ),
    from: v.number(),
    until: v.nullable(v.number()),
  }),
  v.check(({ from, until }) => until === null || from <= until),
)

/**
 * `VITE_RECEIPT_KEYS`: Ed25519 public keys in base64url with the first and the last UTC year in which they
 * sign, such as `KEY@2026-2027,KEY@2026`. The last one signs, and has no last year.
 */
export const receiptKeysSchema = v.config(
  v.pipe(
    v.string(),
    v.transform((text) => text.split(',')),
    v.array(receiptKey),
    v.check((keys) => new Set(keys.map(({ encoded }) => encoded)).size === keys.length),
    v.check((keys) => keys.every(({ until }, index) => (until === null) === (index === keys.length - 1))),
  ),
  {
    abortEarly: true,
    message: "must be public keys with their years, as 'npm run ops -- keys' prints them",
  },
)

export type ReceiptKey = Readonly<v.InferOutput<typeof receiptKey>>
export type ReceiptKeys = readonly ReceiptKey[]

/** The state may have begun before the key was made. `at`: UTC ms. */
export const isRetired = ({ until }: Pick<ReceiptKey, 'until'>, at: number): boolean =>
  until !== null && new Date(at).getUTCFullYear() > until
