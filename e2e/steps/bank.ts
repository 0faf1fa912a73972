import type { Page } from '@playwright/test'
import type { Server } from '../server.ts'
import type { Person } from './person.ts'
import { fillTransfer, openCardForm } from './transfer.ts'

// The bank's page replaces the app and returns to /payment-complete, whose parameters prove nothing.

/** Returns the PaymentIntent ID. */
export async function payAtBank(page: Page, server: Server, person: Person) {
  await fillTransfer(page, { amount: '42,50' })
  await openCardForm(page)
  await page.goto('about:blank')
  const [newest] = await server.listPaymentIntents(person.email)
  const id = newest?.id ?? ''
  await server.stripe.paymentIntents.confirm(id, {
    payment_method: 'pm_card_visa',
    return_url: `${server.origin}/payment-complete`,
  })
  return id
}

export const returnFromBank = (page: Page, id: string, said: 'succeeded' | 'failed') =>
  page.goto(`/payment-complete?payment_intent=${id}&redirect_status=${said}`)
