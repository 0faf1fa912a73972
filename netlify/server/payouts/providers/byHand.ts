import type { Provider } from './provider.ts'

/**
 * People who pay out, by whatever their bank or agent lets them do, and say so by `npm run ops -- deliveries`: for every wallet without an
 * API, and for an operator without a contract. No program calls them, so their orders wait until somebody claims them.
 */
export const byHand: Provider = { name: 'byHand', pays: () => true, api: null }
