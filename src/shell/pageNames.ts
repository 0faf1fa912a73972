/** Specification, section 2. */
export const PAGE_NAMES = [
  'profile',
  'history',
  'settings',
  'notifications',
  'security',
  'invoices',
  'wallet',
  'contacts',
  'identity',
] as const

export type PageName = (typeof PAGE_NAMES)[number]

export type NavigationTarget = PageName | 'send' | 'contact'
