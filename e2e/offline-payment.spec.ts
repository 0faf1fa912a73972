import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { holdBack } from './steps/faults.ts'
import { expectHeadingFocused } from './steps/pages.ts'
import type { Person } from './steps/people.ts'
import { CARDS, cardFrame, confirmForm, fillTransfer, pay, payButton, typeCard } from './steps/transfer.ts'
import { arriveHome } from './steps/waysIn.ts'
import { say } from './texts.ts'
import { words } from './words.ts'

// The network goes at each step of a payment: what is said, what is charged, what stays in the form.
test.use({ expectedErrors: [BROKEN_CALLS] })

const AMOUNT = '42,50'

async function expectCharges(server: Server, { email }: Person, charges: number) {
  const paid = (await server.paymentIntentsOf(email)).filter(({ status }) => status === 'succeeded')
  expect(paid.map(({ amount }) => amount)).toEqual(Array(charges).fill(4250))
  expect(await server.transactionsOf(email)).toHaveLength(charges)
}

/** Somebody new, with a good card in the payment sheet. */
async function arriveAtCard(page: Page, server: Server): Promise<Person> {
  const person = await arriveHome(page, server)
  await fillTransfer(page, { amount: AMOUNT })
  await confirmForm(page)
  await typeCard(page, CARDS.good)
  return person
}

/** The device writes the form down when the typing rests. */
async function expectKept(page: Page, amount: string | undefined) {
  const kept = () =>
    page.evaluate(async () => {
      const { name } = (await indexedDB.databases()).find((one) => one.name?.startsWith('passerelle-')) ?? {}
      // To open it would make an empty one.
      if (!name) return null
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => resolve(opening.result)
      })
      const [row] = await new Promise<{ draft: { amount: string; phoneConfirmed: boolean } }[]>((resolve) => {
        const reading = database.transaction('drafts').objectStore('drafts').getAll()
        reading.onsuccess = () => resolve(reading.result)
      })
      database.close()
      return row?.draft.amount
    })
  await expect.poll(kept).toBe(amount)
}

test('before the payment: it waits for the network, and the form outlives a reload', async ({
  page,
  context,
  server,
}) => {
  const person = await arriveHome(page, server)
  await fillTransfer(page, { amount: AMOUNT })
  // The form's code is here.
  await expect(page.getByRole('main').getByRole('button', { name: words.pay })).toBeEnabled()
  await context.setOffline(true)
  await expect(page.getByText(words.offlineBar)).toBeVisible()
  await confirmForm(page)
  await expect(page.getByText(words.offline).first()).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText(words.offlineBar)).toBeHidden()
  await expectCharges(server, person, 0)

  await expectKept(page, AMOUNT)
  await page.reload()
  await expect(page.getByText(words.draftKept)).toBeVisible()
  await expect(
    page.getByText(say('Rien n’a été payé. Le montant à recevoir est calculé au tarif de maintenant.')),
  ).toBeVisible()
  await expect(page.getByLabel(words.amount)).toHaveValue(AMOUNT)
  await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()
  // It is confirmed by the person, or not at all.
  await expectCharges(server, person, 0)
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await pay(page)
  await expectCharges(server, person, 1)

  await page.reload()
  await expect(page.getByLabel(words.amount)).toHaveValue('')
  await expect(page.getByText(words.draftKept)).toBeHidden()
})

test('a form that is not wanted any more is cleared, and stays so', async ({ page, server }) => {
  await arriveHome(page, server)
  await fillTransfer(page, { amount: AMOUNT })
  await expectKept(page, AMOUNT)
  await page.reload()
  await page.getByRole('button', { name: words.clearDraft }).click()
  await expectHeadingFocused(page)
  await expect(page.getByLabel(words.amount)).toHaveValue('')
  await expectKept(page, undefined)
  await page.reload()
  await expect(page.getByText(words.noTransfers)).toBeVisible()
  await expect(page.getByLabel(words.amount)).toHaveValue('')
})

for (const cut of ['cutBefore', 'cutAfter'] as const)
  test(`while the payment is prepared (${cut}): trying again is one charge @spec-prepare-offline`, async ({
    page,
    server,
  }) => {
    const person = await arriveHome(page, server)
    await fillTransfer(page, { amount: AMOUNT })
    const preparing = '**/.netlify/functions/create-payment-intent'
    await page.route(preparing, async (route) => {
      if (cut === 'cutAfter') await route.fetch()
      await route.abort()
    })
    await confirmForm(page)
    await expect(page.getByText(words.initFailed).first()).toBeVisible()
    await expect(page.getByLabel(words.amount)).toHaveValue(AMOUNT)
    await page.unroute(preparing)
    await confirmForm(page)
    await pay(page)
    expect(await server.paymentIntentsOf(person.email)).toHaveLength(1)
    await expectCharges(server, person, 1)
  })

test('after the card form was left without a network: what was typed since comes back, not what was sent', async ({
  page,
  context,
  server,
}) => {
  const person = await arriveAtCard(page, server)
  await context.setOffline(true)
  await page.getByRole('button', { name: words.backToTransfer }).click()
  await page.getByLabel(words.amount).fill('120')
  await expectKept(page, '120')
  await context.setOffline(false)
  // The attempt is found before the form is, and asked about.
  const release = await holdBack(page, '**/assets/drafts-*.js')
  await page.reload()
  await expect(page.getByLabel(words.amount)).toHaveValue(AMOUNT)
  await expect(page.getByText(words.notFinished)).toBeVisible()
  release()
  await expect(page.getByLabel(words.amount)).toHaveValue('120')
  await expect(page.getByText(words.draftKept)).toBeVisible()
  await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()
  await expectKept(page, '120')
  await expectCharges(server, person, 0)
})

test('in the card form: nothing is sent until the network is back', async ({ page, context, server }) => {
  const person = await arriveAtCard(page, server)
  await context.setOffline(true)
  await payButton(page).click()
  await expect(page.getByRole('dialog').getByText(words.offline)).toBeVisible()
  await expectCharges(server, person, 0)
  await context.setOffline(false)
  // The card is still there; nobody but the person pays.
  await expect(cardFrame(page).getByLabel(words.cardNumber)).not.toHaveValue('')
  await expectCharges(server, person, 0)
  await payButton(page).click()
  await expect(page.getByText(words.paid)).toBeVisible()
  await expectCharges(server, person, 1)
})

test('after the bank was asked: the app says that it is checking, and finds the one charge', async ({
  page,
  server,
}) => {
  const person = await arriveAtCard(page, server)
  const [{ id = '' } = {}] = await server.paymentIntentsOf(person.email)
  await server.addFault({
    on: `POST /v1/payment_intents/${id}/confirm`,
    times: 1,
    what: { kind: 'cutAfter' },
  })
  await payButton(page).click()
  await expect(page.getByText(words.paid)).toBeVisible()
  await expectCharges(server, person, 1)
})

test('while the outcome is asked: what was paid is found once the network is back', async ({
  page,
  context,
  server,
}) => {
  const person = await arriveAtCard(page, server)
  const asking = '**/.netlify/functions/record-transfer'
  await page.route(asking, (route) => route.abort())
  await payButton(page).click()
  await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()
  await context.setOffline(true)
  await page.unroute(asking)
  await context.setOffline(false)
  await expect(page.getByText(words.paid)).toBeVisible()
  await expectCharges(server, person, 1)
})

test('a start shows the home screen as it was seen last, until the app is there to answer', async ({
  page,
  server,
}) => {
  await arriveHome(page, server)
  await fillTransfer(page, { amount: AMOUNT })
  await expectKept(page, AMOUNT)

  const release = await holdBack(page, '**/assets/*.js')
  await page.reload({ waitUntil: 'commit' })
  const amount = page.locator('#root[inert] input').first()
  await expect(amount).toBeVisible()
  await expect(amount).toHaveValue(AMOUNT)
  release()
  await expect(page.locator('#root')).not.toHaveAttribute('inert')
  await expect(page.getByText(words.draftKept)).toBeVisible()
  await page.getByLabel(words.amount).fill('100')
  await expect(page.getByTestId('quote')).toContainText('97')
})

test('what is tapped on the picture of the home screen is done once the app is there', async ({
  page,
  server,
}) => {
  const CHOOSE = /^(Choisir un contact|Choose a contact)$/
  await arriveHome(page, server)
  await fillTransfer(page, { amount: AMOUNT })
  await expectKept(page, AMOUNT)

  const release = await holdBack(page, '**/assets/*.js')
  await page.reload({ waitUntil: 'commit' })
  const picture = page.locator('#root[inert]')
  const seen = picture.getByText(CHOOSE)
  await seen.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const at = await seen.boundingBox()
  if (!at) throw new Error('The button is not in the picture')
  await page.mouse.click(at.x + at.width / 2, at.y + at.height / 2)
  await expect(picture.locator('[data-tapped]')).toHaveText(CHOOSE)
  release()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.locator('#root')).not.toHaveAttribute('inert')
})

test('the home screen is kept for the next start, though a file of another screen was lost by the network', async ({
  page,
  server,
}) => {
  await page.route('**/assets/ContactDialog-*.css', (route) => route.abort('internetdisconnected'))
  const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/ContactDialog-'))
  await arriveHome(page, server)
  await lost
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('passerelle.home')))
    .toContain('data-testid')
})
