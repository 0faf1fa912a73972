import { expect } from '@playwright/test'
import { changePasswordElsewhere, spoilToken } from '../steps/faults.ts'
import { CARDS, payButton, typeCard } from '../steps/transfer.ts'
import { confirmTransfer } from './paying.ts'
import { register, signInAs } from './people.ts'
import { type ScreensOf, SIGNED_OUT, text } from './screen.ts'

export const SESSIONS_SCREENS: ScreensOf = {
  testedBy: ['sessions', 'money-texts'],
  at: SIGNED_OUT,
  screens: [
    {
      name: 'sign-in-session-ended',
      async reach(stage) {
        const { page, server } = stage
        const person = await register(stage)
        await signInAs(stage, person)
        await changePasswordElsewhere(page, server, person)
        await page.reload()
      },
      shows: text('sessionEnded'),
    },
    {
      name: 'sign-in-session-ended-unpaid',
      async reach(stage) {
        const { page, server } = stage
        const person = await register(stage)
        await signInAs(stage, person)
        await confirmTransfer(stage)
        await expect(payButton(page)).toBeEnabled()
        await changePasswordElsewhere(page, server, person)
        await page.reload()
      },
      shows: text('notPaidYet'),
    },
    {
      name: 'sign-in-session-ended-maybe-paid',
      async reach(stage) {
        const { page, server } = stage
        const person = await register(stage)
        await signInAs(stage, person)
        await confirmTransfer(stage)
        await typeCard(page, CARDS.good)
        await changePasswordElsewhere(page, server, person)
        await spoilToken(page)
        await payButton(page).click()
        await expect(page.getByRole('main').getByRole('alert')).toBeInViewport()
      },
      shows: text('maybePaid'),
    },
  ],
}
