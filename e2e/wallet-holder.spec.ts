import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { buildStoredTransfer } from './steps/history.ts'
import { expectNoticeTexts } from './steps/moneyTexts.ts'
import { createPerson } from './steps/person.ts'
import { openScene } from './steps/scenes.ts'
import { openSignedInHome, registerAndOpenHome } from './steps/signIn.ts'
import { activityRows, confirmForm, fillTransfer, payButton } from './steps/transfer.ts'
import { buildTextPattern, getText } from './texts.ts'
import { words } from './words.ts'

test.use({
  settings: { DELIVERY_PROVIDERS: 'mtn,byHand' },
  expectedErrors: [BROKEN_CALL_ERRORS],
})

/** MTN's test numbers: without an account, with an account. */
const NOBODYS = '+224 660 00 04 50'
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

sceneTest('a lookup without a name shows no text @desk', async ({ page }) => {
  await openScene(page, 'home-filled', { delays: { 500: 0 } })
  await page.getByLabel(words.phone).fill(SOMEBODYS)
  await page.getByRole('radio', { name: 'MTN Money' }).check()
  await expect(page.locator('[data-holder="silent"]')).toHaveText('')
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
