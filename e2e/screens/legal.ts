import { LEGAL_PAGES, legalAddress } from '../../domain/legal.ts'
import { NO_APP, type ScreensOf } from './screen.ts'

export const LEGAL_SCREENS: ScreensOf = {
  testedBy: ['legal'],
  at: NO_APP,
  screens: LEGAL_PAGES.map((name) => ({
    name: `legal-${name}`,
    isSaidOnce: true,
    reach: async ({ page, language }) => void (await page.goto(legalAddress(name, language))),
    shows: ({ page }) => page.getByRole('heading', { level: 1 }),
  })),
}
