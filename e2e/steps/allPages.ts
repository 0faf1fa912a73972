import type { Page } from '@playwright/test'
import type { PageName } from '../../src/shell/pageNames.ts'
import { words } from '../words.ts'
import { historyWords } from './history.ts'
import { openFromBar, openFromMenu, openFromRow, openProfile, openSecurity, openWallet } from './pages.ts'

/** How a user opens each page in a wide window. */
export const PAGES: Readonly<Record<PageName, (page: Page) => Promise<unknown>>> = {
  history: (page) => openFromBar(page, historyWords.history),
  invoices: (page) => openFromBar(page, words.invoices),
  wallet: openWallet,
  profile: openProfile,
  identity: (page) => openFromMenu(page, words.identity),
  contacts: (page) => openFromMenu(page, words.contacts),
  security: openSecurity,
  settings: (page) => openFromMenu(page, words.settings),
  notifications: (page) => openFromRow(page, words.notifications),
}
