/** The pages over the home screen. Specification, section 2. */
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

/** A target of the navigation: a page, the transfer form of the home screen, or the support dialog. */
export type NavigationTarget = PageName | 'send' | 'contact'
