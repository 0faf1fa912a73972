import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { delayRequests } from './steps/faults.ts'
import { buildStoredTransfer } from './steps/history.ts'
import { expectNoticeTexts } from './steps/moneyTexts.ts'
import { createPerson } from './steps/person.ts'
import { openSignedInHome, registerAndOpenHome } from './steps/signIn.ts'
import { activityRows, confirmForm, fillTransfer, payButton } from './steps/transfer.ts'
import { buildTextPattern, getText } from './texts.ts'
import { words } from './words.ts'

test.use({
  settings: { DELIVERY_PROVIDERS: 'mtn,byHand' },
  expectedErrors: [BROKEN_CALL_ERRORS],
})

/** MTN's test numbers: without an account, with a failing service, with an account. */
const NOBODYS = '+224 660 00 04 50'
const SILENT = '+224 660 00 04 54'
const SOMEBODYS = '+224 660 00 04 80'

const NO_WALLET = [
  '{provider} ne connaît aucun portefeuille à ce numéro.',
  'Rien n’a été payé. Vérifiez le numéro, ou choisissez un autre portefeuille.',
]

const named = () =>
  buildTextPattern(
    'Est-ce bien <0><1>{name}</1></0> ? C’est le nom que {provider} a pour ce numéro.',
    '(?:MTN(?=\\s(?:a|has)\\s)|\\p{Lu}\\p{L}+ \\p{Lu}\\.)',
  )

const holder = (page: Page) => page.locator('[data-holder]')

function recordLookups(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/wallet-holder')) asked.push(request.postDataJSON().phone)
  })
  return asked
}

async function expectPayable(page: Page) {
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await expect(payButton(page)).toBeVisible()
}

test('a complete number is looked up once, without shifting the form @desk @all', async ({
  page,
  server,
}) => {
  await registerAndOpenHome(page, server)
  const asked = recordLookups(page)
  const letGo = await delayRequests(page, '**/wallet-holder')
  await page.getByLabel(words.amount).fill('100')
  await page.getByLabel(words.phone).pressSequentially(SOMEBODYS)
  await expect.poll(() => asked).toEqual(['+224660000480'])
  const confirm = page.getByLabel(words.confirmPhone)
  await confirm.scrollIntoViewIfNeeded()
  const before = await confirm.boundingBox()
  letGo()
  await expect(holder(page)).toHaveText(named())
  expect(await confirm.boundingBox()).toEqual(before)
  // The server does not send the family name to the app.
  await expect(page.getByText(/Bah|Diallo|Camara|Sow|Barry|Condé|Sylla/)).toHaveCount(0)
  await expectPayable(page)
  expect(asked).toHaveLength(1)
})

test('a number without a wallet is refused before the charge @desk', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '100', phone: NOBODYS })
  for (const id of NO_WALLET) await expect(holder(page)).toContainText(getText(id, { provider: 'MTN' }))
  // Orange is paid out by hand, so its wallets are not looked up.
  await page.getByRole('radio', { name: 'Orange Money' }).check()
  await expect(holder(page)).toHaveCount(0)
  await page.getByRole('radio', { name: 'MTN Money' }).check()
  await expect(holder(page)).toHaveAttribute('data-holder', 'none')
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await expectNoticeTexts(
    page,
    'Ce numéro n’a pas ce portefeuille | Votre carte n’a pas été débitée. Vérifiez le numéro, ou choisissez un autre portefeuille.',
  )
  expect(await server.listPaymentIntents(person.email)).toEqual([])
  await page.getByLabel(words.phone).fill(SOMEBODYS)
  await expectPayable(page)
})

test('a failed or limited lookup shows no text @desk @all', async ({ page, server }) => {
  await registerAndOpenHome(page, server)
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
  // A number that was looked up earlier does not count toward the limit.
  expect(await typed('+224 660 00 05 01')).toBe('named')
  await expect(holder(page)).toHaveText(named())
  await page.getByLabel(words.amount).fill('100')
  await expectPayable(page)
})

test('no holder is looked up offline or for other wallets @desk @all', async ({ page, context, server }) => {
  const person = createPerson()
  const uid = await server.register(person)
  const sent = buildStoredTransfer(uid, 1, { recipientPhone: '+224660000481', receivingMethod: 'mtn_money' })
  await server.write(`transactions/${sent.id}`, sent)
  await openSignedInHome(page, server, person)
  await expect(activityRows(page)).toHaveCount(1)
  const asked = recordLookups(page)
  const check = page.getByLabel(words.confirmPhone)
  await page.getByLabel(words.phone).fill('+224 620 00 00 00')
  await check.check()
  await page.getByLabel(words.phone).fill('+224 660 00 04 81')
  await check.check()
  await context.setOffline(true)
  await page.getByLabel(words.phone).fill(SOMEBODYS)
  await check.check()
  await expect(page.getByText(getText('Premier envoi à ce numéro. Relisez chaque chiffre :'))).toBeVisible()
  expect(asked).toEqual([])
  await context.setOffline(false)
  await expect(holder(page)).toHaveText(named())
  expect(asked).toEqual(['+224660000480'])
})
