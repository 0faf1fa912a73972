import { CARDS } from '../steps/transfer.ts'
import { CONTACT_NAME } from './contacts.ts'
import { payWith } from './paying.ts'
import { HOUR, registerWithContacts, registerWithHistory, signInAs } from './people.ts'
import { type ScreensOf, text } from './screen.ts'

export const RECEIPTS_SCREENS: ScreensOf = {
  testedBy: ['receipts', 'main-job', 'contacts', 'money-texts'],
  screens: [
    {
      name: 'receipt-new',
      reach: (stage) => payWith(stage, CARDS.good),
      shows: text((words) => words.paid),
    },
    {
      name: 'receipt',
      async reach(stage) {
        const { page, words } = stage
        await signInAs(stage, await registerWithHistory(stage))
        await page.getByRole('region', { name: words.activity }).getByRole('button').first().click()
      },
      shows: ({ page, words }) => page.getByRole('dialog', { name: words.receipt }),
    },
    {
      name: 'receipt-overdue',
      async reach(stage) {
        const { page, words } = stage
        await signInAs(stage, await registerWithHistory(stage))
        await page.clock.setFixedTime(Date.now() + 2 * HOUR)
        await page.getByRole('region', { name: words.activity }).getByRole('button').first().click()
      },
      shows: ({ page }) => page.getByText(/L’heure prévue est passée|The expected time has passed/),
    },
    {
      name: 'receipt-named',
      async reach(stage) {
        const { page, words } = stage
        await signInAs(stage, await registerWithContacts(stage))
        await page.getByRole('region', { name: words.activity }).getByRole('button').nth(1).click()
      },
      shows: ({ page }) => page.getByRole('dialog').getByText('Mariama').first(),
    },
    {
      name: 'receipt-add-contact',
      async reach(stage) {
        const { page, words } = stage
        await signInAs(stage, await registerWithHistory(stage))
        await page.getByRole('region', { name: words.activity }).getByRole('button').first().click()
        await page.getByRole('button', { name: ADD_TO_CONTACTS }).click()
      },
      shows: ({ page }) => page.getByRole('dialog').getByLabel(CONTACT_NAME),
    },
  ],
}

const ADD_TO_CONTACTS = /Ajouter aux contacts|Add to contacts/
