import { fallback, object, parseOrNull, picklist, string } from '../../domain/schema.ts'

// What the service worker and the page say to each other when a notification was pressed.

/** The app's own addresses. Specification, section 2. */
export const APP_PATHS: readonly string[] = ['/', '/index.html', '/settings', '/payment-complete']

/** Whether the app is at an address, and no other page of the site. */
export const isApp = (url: string): boolean => APP_PATHS.includes(new URL(url).pathname)

/** The address at which the app opens with the receipt of a transfer, or as it is. */
export const transferAddress = (id: string | null): string =>
  id === null ? '/' : `/?${new URLSearchParams({ transaction: id })}`

/** The page is to show the receipt of a transfer. */
export interface OpenTransfer {
  readonly type: 'transfer.open'
  readonly id: string
}

const opening = fallback(object({ type: picklist('transfer.open'), id: string }), null)

/** The id of the transfer whose receipt a message asks for; null of any other message. */
export const transferToOpen = (message: unknown): string | null => parseOrNull(opening, message)?.id ?? null
