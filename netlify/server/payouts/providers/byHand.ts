import type { PayoutProvider } from './provider.ts'

/**
 * The provider for payouts by operators, who pay through their bank or agent and report it with `npm run ops
 * -- deliveries`. Supports every wallet and needs neither an API nor a contract. Orders wait until an
 * operator claims them.
 */
export const byHandProvider: PayoutProvider = { name: 'byHand', pays: () => true, api: null }
