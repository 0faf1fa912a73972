import { DELIVERED } from '../domain/transaction.samples.ts'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { transferOf } from './steps/history.ts'
import { somebody } from './steps/people.ts'
import { enter } from './steps/waysIn.ts'

// The browser writes a line for each call that finds no network.
test.use({ expectedErrors: [BROKEN_CALLS] })

const SAID = {
  fr: { before: 'Demandé d’abord', redirected: 'Dirigé vers MTN Money, à votre demande' },
  en: { before: 'Asked for first', redirected: 'Sent to MTN Money instead, as you asked' },
} as const

test('a receipt names the wallet to which a transfer was redirected, without a network too', async ({
  page,
  context,
  server,
  language,
  words,
}) => {
  const person = somebody()
  const uid = await server.register(person)
  const delivery = { ...DELIVERED, by: 'byHand', handedOverAt: null, redirectedTo: 'mtn_money' }
  const transfer = transferOf(uid, 0, { receivingMethod: 'orange_money', delivery })
  await server.write(`transactions/${transfer.id}`, transfer)
  await enter(page, server, language, person)
  const row = page.getByRole('region', { name: words.activity }).getByRole('button').first()
  const receipt = page.getByRole('dialog', { name: words.receipt })
  const { before, redirected } = SAID[language]
  for (const isOffline of [false, true]) {
    await context.setOffline(isOffline)
    await row.click()
    await expect(receipt.getByText(redirected)).toBeVisible()
    await expect(receipt.getByText('MTN Money', { exact: true })).toBeVisible()
    await expect(receipt.getByText(before)).toBeVisible()
    await expect(receipt.getByText('Orange Money', { exact: true })).toBeVisible()
    await receipt.getByRole('button', { name: words.done }).click()
    await expect(receipt).toBeHidden()
  }
})
