import type { PayoutProvider } from './provider.ts'

/** Operators pay through their bank or agent and report it with `npm run ops -- deliveries delivered`. */
export const byHandProvider: PayoutProvider = { name: 'byHand', pays: () => true, api: null }
