// Publishes the public keys of receipts, so that anyone can verify one without the app.
import { join } from 'node:path'
import * as v from 'valibot'
import { loadEnv, type Plugin } from 'vite'
import { receiptKeysSchema } from '../domain/transfers/receiptKeys.ts'

const ROOT = join(import.meta.dirname, '..')

export const RECEIPT_KEYS_PATH = '/.well-known/receipt-keys.json'

/** Ed25519 keys in base64url, with the first and the last UTC year in which each one signs. */
export function createReceiptKeysPlugin(): Plugin {
  let keys: string | undefined
  return {
    name: 'passerelle:receipt-keys',
    configResolved({ mode, build }) {
      keys = build.ssr ? undefined : loadEnv(mode, ROOT, 'VITE_').VITE_RECEIPT_KEYS
    },
    generateBundle() {
      if (!keys) return
      const published = v
        .parse(receiptKeysSchema, keys)
        .map(({ encoded, from, until }) => ({ key: encoded, from, until }))
      const source = JSON.stringify({ algorithm: 'Ed25519', keys: published })
      this.emitFile({ type: 'asset', fileName: RECEIPT_KEYS_PATH.slice(1), source })
    },
  }
}
