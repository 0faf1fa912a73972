import { CONTACTS_SCENES } from './contacts.ts'
import { HISTORY_SCENES } from './history.ts'
import { IDENTITY_SCENES } from './identity.ts'
import { INVOICES_SCENES } from './invoices.ts'
import { PAYMENT_SCENES } from './payment.ts'
import { PENDING_SCENES } from './pending.ts'
import { PLANS_SCENES } from './plans.ts'
import { PROFILE_SCENES } from './profile.ts'
import { RECEIPT_CHECK_SCENES } from './receiptCheck.ts'
import { RECEIPTS_SCENES } from './receipts.ts'
import type { Scene } from './scene.ts'
import { SETTINGS_SCENES } from './settings.ts'
import { SHELL_SCENES } from './shell.ts'
import { SIGN_IN_SCENES } from './signIn.ts'
import { TRANSFER_SCENES } from './transfer.ts'

export const SCENES: readonly Scene[] = [
  ...SIGN_IN_SCENES,
  ...SHELL_SCENES,
  ...TRANSFER_SCENES,
  ...PAYMENT_SCENES,
  ...RECEIPTS_SCENES,
  ...RECEIPT_CHECK_SCENES,
  ...INVOICES_SCENES,
  ...PLANS_SCENES,
  ...SETTINGS_SCENES,
  ...CONTACTS_SCENES,
  ...PROFILE_SCENES,
  ...IDENTITY_SCENES,
  ...HISTORY_SCENES,
  ...PENDING_SCENES,
]

export function findScene(name: string): Scene {
  const scene = SCENES.find((one) => one.name === name)
  if (!scene) throw new Error(`There is no scene ${name}`)
  return scene
}
