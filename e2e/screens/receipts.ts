import { HOUR } from '../../domain/duration.ts'
import { activityRows, CARDS, receiptSheet } from '../steps/transfer.ts'
import { CONTACT_NAME } from './contacts.ts'
import { payWith } from './paying.ts'
import {
  DELIVERED,
  registerWithContacts,
  registerWithDeliveries,
  registerWithHistory,
  signInAs,
} from './people.ts'
import { IN_APP, type ScreensOf, type Stage, text } from './screen.ts'

export const RECEIPTS_SCREENS: ScreensOf = {
  at: IN_APP,
  testedBy: ['receipts', 'recipient', 'main-job', 'contacts', 'money-texts', 'deliveries'],
  screens: [
    {
      name: 'receipt-new',
      at: { transfer: 'receipt' },
      reach: (stage) => payWith(stage, CARDS.good),
      shows: text('paid'),
    },
    {
      name: 'receipt',
      async reach(stage) {
        const { page } = stage
        await signInAs(stage, await registerWithHistory(stage))
        await activityRows(page).first().click()
      },
      shows: ({ page }) => receiptSheet(page),
    },
    {
      name: 'receipt-overdue',
      async reach(stage) {
        const { page } = stage
        await signInAs(stage, await registerWithHistory(stage))
        await page.clock.setFixedTime(Date.now() + 2 * HOUR)
        await activityRows(page).first().click()
      },
      shows: ({ page }) => page.getByText(/L’heure prévue est passée|The expected time has passed/),
    },
    {
      name: 'receipt-named',
      async reach(stage) {
        const { page } = stage
        await signInAs(stage, await registerWithContacts(stage))
        await activityRows(page).nth(1).click()
      },
      shows: ({ page }) => page.getByRole('dialog').getByText('Mariama').first(),
    },
    {
      name: 'receipt-add-contact',
      async reach(stage) {
        const { page } = stage
        await signInAs(stage, await registerWithHistory(stage))
        await activityRows(page).first().click()
        await page.getByRole('button', { name: ADD_TO_CONTACTS }).click()
      },
      shows: ({ page }) => page.getByRole('dialog').getByLabel(CONTACT_NAME),
    },
    {
      name: 'receipt-handed-over',
      reach: openDelivery('handedOver'),
      shows: ({ page }) => page.getByRole('dialog').getByText(/Remis à MTN|Handed to MTN/),
    },
    {
      name: 'receipt-delivered',
      reach: openDelivery('delivered'),
      shows: ({ page }) => page.getByRole('dialog').getByText(/Remis au bénéficiaire|Delivered to the recip/),
    },
    {
      name: 'receipt-late',
      reach: openDelivery('late'),
      shows: ({ page }) => page.getByRole('dialog').getByText(/plus tard que prévu|later than expected/),
    },
    {
      name: 'receipt-not-delivered',
      reach: openDelivery('failed'),
      shows: ({ page }) => page.getByRole('dialog').getByText(/Tout est remboursé|Your card is refunded/),
    },
    {
      name: 'receipt-paid-back',
      reach: openDelivery('paidBack'),
      shows: ({ page }) => page.getByRole('dialog').getByText(/vous est rendu|was given back/),
    },
  ],
}

function openDelivery(standing: (typeof DELIVERED)[number]) {
  return async (stage: Stage) => {
    const { page } = stage
    await signInAs(stage, await registerWithDeliveries(stage))
    const rows = activityRows(page)
    await rows.nth(DELIVERED.indexOf(standing)).click()
  }
}

const ADD_TO_CONTACTS = /Ajouter aux contacts|Add to contacts/
