/** The pages over the home screen. Specification, section 2. */
export const PAGES = [
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

export type PageName = (typeof PAGES)[number]

/** Where the navigation leads: a page, the transfer form of the home screen, or the dialog of the support. */
export type Destination = PageName | 'send' | 'contact'
