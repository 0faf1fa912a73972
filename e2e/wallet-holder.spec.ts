import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { holdBack } from './steps/faults.ts'
import { transferOf } from './steps/history.ts'
import { somebody } from './steps/people.ts'
import { activityRows, confirmForm, fillTransfer, payButton } from './steps/transfer.ts'
import { arriveHome, enter } from './steps/waysIn.ts'
import { pattern, say } from './texts.ts'
import { words } from './words.ts'

// Whose wallet a number is, before somebody pays to it. MTN is the sandbox's.
test.use({
  settings: { DELIVERY_PROVIDERS: 'mtn,byHand' },
  // Chromium itself and the database's SDK write a line for each call that finds no network.
  expectedErrors: [BROKEN_CALLS],
})

/** Of MTN's test numbers: nobody has an account; the service is in trouble. */
const NOBODYS = '+224 660 00 04 50'
const SILENT = '+224 660 00 04 54'
const SOMEBODYS = '+224 660 00 04 80'

const NO_WALLET = [
  'MTN ne connaît aucun portefeuille à ce numéro.',
  'Rien n’a été payé. Vérifiez le numéro, ou choisissez un autre portefeuille.',
]

const named = () =>
  pattern(
    'Est-ce bien <0><1>{name}</1></0> ? C’est le nom que MTN a pour ce numéro.',
    '\\p{Lu}\\p{L}+ \\p{Lu}\\.',
  )

/** What is said of the holder; nothing as long as there is nothing to say. */
const holder = (page: Page) => page.locator('[data-holder]')

/** The questions that the app asks from now on. */
function questions(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/wallet-holder')) asked.push(request.postDataJSON().phone)
  })
  return asked
}

/** Whatever is said of the holder, the filled form leads to the payment. */
async function expectPayable(page: Page) {
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await expect(payButton(page)).toBeVisible()
}

test('a whole number is asked about once, and its holder is named without moving anything', async ({
  page,
  server,
}) => {
  await arriveHome(page, server)
  const asked = questions(page)
  const letGo = await holdBack(page, '**/wallet-holder')
  await page.getByLabel(words.amount).fill('100')
  await page.getByLabel(words.phone).pressSequentially(SOMEBODYS)
  await expect.poll(() => asked).toEqual(['+224660000480'])
  const confirm = page.getByLabel(words.confirmPhone)
  await confirm.scrollIntoViewIfNeeded()
  const before = await confirm.boundingBox()
  letGo()
  await expect(holder(page)).toHaveText(named())
  expect(await confirm.boundingBox()).toEqual(before)
  // The family name stays where it is.
  await expect(page.getByText(/Bah|Diallo|Camara|Sow|Barry|Condé|Sylla/)).toHaveCount(0)
  await expectPayable(page)
  expect(asked).toHaveLength(1)
})

test('that there is no wallet is said with what it means, and keeps nobody from sending', async ({
  page,
  server,
}) => {
  await arriveHome(page, server)
  await fillTransfer(page, { amount: '100', phone: NOBODYS })
  for (const id of NO_WALLET) await expect(holder(page)).toContainText(say(id))
  // By hand somebody pays to any wallet.
  await page.getByRole('radio', { name: 'Orange Money' }).check()
  await expect(holder(page)).toHaveCount(0)
  await page.getByRole('radio', { name: 'MTN Money' }).check()
  await expect(holder(page)).toHaveAttribute('data-holder', 'none')
  await expectPayable(page)
})

test('silence says nothing, and so does a limit that is reached', async ({ page, server }) => {
  await arriveHome(page, server)
  const phone = page.getByLabel(words.phone)
  const answered = () => page.waitForResponse('**/wallet-holder')
  const typed = async (number: string) => {
    const answer = answered()
    await phone.fill(number)
    return (await (await answer).json()).kind
  }
  expect(await typed(SILENT)).toBe('silent')
  await expect(page.locator('[data-holder="silent"]')).toHaveText('')
  for (let last = 1; last < 10; last += 1) expect(await typed(`+224 660 00 05 0${last}`)).toBe('named')
  await expect(holder(page)).toHaveText(named())
  expect(await typed('+224 660 00 05 10')).toBe('silent')
  await expect(page.locator('[data-holder="silent"]')).toHaveText('')
  // One that was asked about today is told still.
  expect(await typed('+224 660 00 05 01')).toBe('named')
  await expect(holder(page)).toHaveText(named())
  await page.getByLabel(words.amount).fill('100')
  await expectPayable(page)
})

test('nobody is asked without a network, for another wallet, nor about who was sent money before', async ({
  page,
  context,
  server,
}) => {
  const person = somebody()
  const uid = await server.register(person)
  const sent = transferOf(uid, 1, { recipientPhone: '+224660000481', receivingMethod: 'mtn_money' })
  await server.write(`transactions/${sent.id}`, sent)
  await enter(page, server, person)
  await expect(activityRows(page)).toHaveCount(1)
  const asked = questions(page)
  const check = page.getByLabel(words.confirmPhone)
  await page.getByLabel(words.phone).fill('+224 620 00 00 00')
  await check.check()
  await page.getByLabel(words.phone).fill('+224 660 00 04 81')
  await check.check()
  await context.setOffline(true)
  await page.getByLabel(words.phone).fill(SOMEBODYS)
  await check.check()
  await expect(page.getByText(say('Premier envoi à ce numéro. Relisez chaque chiffre :'))).toBeVisible()
  expect(asked).toEqual([])
  // It is asked about as soon as there is one again.
  await context.setOffline(false)
  await expect(holder(page)).toHaveText(named())
  expect(asked).toEqual(['+224660000480'])
})
