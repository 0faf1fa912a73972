import * as v from 'valibot'

/** Specification, section 2. */
export const APP_PATHS: readonly string[] = ['/', '/index.html', '/settings', '/payment-complete']

/** Other pages of the site don't belong to the app. */
export const isAppAddress = (url: string): boolean => APP_PATHS.includes(new URL(url).pathname)

export const buildTransferAddress = (id: string | null): string =>
  id === null ? '/' : `/?${new URLSearchParams({ transaction: id })}`

export interface OpenTransferMessage {
  readonly type: 'transfer.open'
  readonly id: string
}

const openTransferSchema = v.fallback(
  v.nullable(v.object({ type: v.literal('transfer.open'), id: v.string() })),
  null,
)

/** Null for any other message. */
export const parseTransferToOpen = (message: unknown): string | null =>
  v.parse(openTransferSchema, message)?.id ?? null
