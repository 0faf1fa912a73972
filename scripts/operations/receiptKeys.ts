import { generateKeyPairSync } from 'node:crypto'
import * as v from 'valibot'
import { receiptKeysSchema } from '../../domain/transfers/receiptKeys.ts'
import {
  getPublicReceiptKey,
  SANDBOX_RECEIPT_KEY,
  type Variables,
} from '../../netlify/server/platform/settings.ts'
import { CommandError } from './commandError.ts'

/** Changes nothing at the host. `now`: UTC ms. @throws CommandError if the present keys are not valid. */
export function createReceiptKeySettings(variables: Variables, now: number): readonly string[] {
  const year = new Date(now).getUTCFullYear()
  const text = variables.VITE_RECEIPT_KEYS
  const present = text?.includes(SANDBOX_RECEIPT_KEY) ? '' : text
  if (present && !v.is(receiptKeysSchema, present))
    throw new CommandError(
      'VITE_RECEIPT_KEYS is not valid. Correct it first, so that old receipts stay provable.',
    )
  const { privateKey } = generateKeyPairSync('ed25519')
  // The present key signs until the next deployment, perhaps next year.
  const old = present ? [`${present}-${year + 1}`] : []
  return [
    present
      ? 'Set both, then build and deploy (docs/running.md, Rotating keys). The first one is secret.'
      : 'The first pair: the settings have no VITE_RECEIPT_KEYS to keep. The first one is secret.',
    `RECEIPT_SIGNING_KEY=${privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url')}`,
    `VITE_RECEIPT_KEYS=${[...old, `${getPublicReceiptKey(privateKey)}@${year}`].join(',')}`,
  ]
}
