import * as v from 'valibot'

// The messages between service worker and page after a press on a notification.

/** The app's own URLs. Specification, section 2. */
export const APP_PATHS: readonly string[] = ['/', '/index.html', '/settings', '/payment-complete']

/** Whether a URL belongs to the app, not to another page of the site. */
export const isAppAddress = (url: string): boolean => APP_PATHS.includes(new URL(url).pathname)

/** Builds the URL that opens the app, with the receipt of a transfer if there is an ID. */
export const buildTransferAddress = (id: string | null): string =>
  id === null ? '/' : `/?${new URLSearchParams({ transaction: id })}`

/** Message that makes the page show the receipt of a transfer. */
export interface OpenTransferMessage {
  readonly type: 'transfer.open'
  readonly id: string
}

const openTransferSchema = v.fallback(
  v.nullable(v.object({ type: v.literal('transfer.open'), id: v.string() })),
  null,
)

/** Returns the ID of the transfer whose receipt a message asks for; null for any other message. */
export const parseTransferToOpen = (message: unknown): string | null =>
  v.parse(openTransferSchema, message)?.id ?? null
