import { CONTACTS_SCREENS } from './screens/contacts.ts'
import { HISTORY_SCREENS } from './screens/history.ts'
import { IDENTITY_SCREENS } from './screens/identity.ts'
import { INVOICES_SCREENS } from './screens/invoices.ts'
import { LEGAL_SCREENS } from './screens/legal.ts'
import { PAYMENT_SCREENS } from './screens/payment.ts'
import { PLANS_SCREENS } from './screens/plans.ts'
import { PROFILE_SCREENS } from './screens/profile.ts'
import { RECEIPTS_SCREENS } from './screens/receipts.ts'
import type { At, Screen, ScreensOf } from './screens/screen.ts'
import { SESSIONS_SCREENS } from './screens/sessions.ts'
import { SETTINGS_SCREENS } from './screens/settings.ts'
import { SHELL_SCREENS } from './screens/shell.ts'
import { SUPPORT_SCREENS } from './screens/support.ts'
import { TRANSFER_SCREENS } from './screens/transfer.ts'
import { UNDER_WAY_SCREENS } from './screens/underWay.ts'
import { WAYS_IN_SCREENS } from './screens/ways-in.ts'

/** The parts of the product, each with its screens and the specs that test them. A new part joins the checks by being here. */
export const PARTS: readonly ScreensOf[] = [
  WAYS_IN_SCREENS,
  SESSIONS_SCREENS,
  SHELL_SCREENS,
  TRANSFER_SCREENS,
  PAYMENT_SCREENS,
  RECEIPTS_SCREENS,
  HISTORY_SCREENS,
  CONTACTS_SCREENS,
  PROFILE_SCREENS,
  IDENTITY_SCREENS,
  INVOICES_SCREENS,
  PLANS_SCREENS,
  SETTINGS_SCREENS,
  SUPPORT_SCREENS,
  LEGAL_SCREENS,
  UNDER_WAY_SCREENS,
]

/** A screen with where all machines are. */
export type PlacedScreen = Screen & { readonly at: At }

/** Every screen of the product. The checks and the photographs walk them. */
export const SCREENS: readonly PlacedScreen[] = PARTS.flatMap(({ at, screens }) =>
  screens.map((screen) => ({ ...screen, at: { ...at, ...screen.at } })),
)

export function screenNamed(name: string): PlacedScreen {
  const screen = SCREENS.find((one) => one.name === name)
  if (!screen) throw new Error(`There is no screen ${name}`)
  return screen
}
