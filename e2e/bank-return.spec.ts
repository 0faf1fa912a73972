import { AWA } from '../scenes/fixtures.ts'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { payAtBank, returnFromBank } from './steps/bank.ts'
import { NO_NETWORK } from './steps/moneyTexts.ts'
import { openScene, setOffline, setResponse } from './steps/scenes.ts'
import { registerAndOpenHome, signIn } from './steps/signIn.ts'
import { receiptSheet } from './steps/transfer.ts'
import { getText } from './texts.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

test('the return shows a paid receipt, despite its URL @spec-payment-return', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  const id = await payAtBank(page, server, person)
  await returnFromBank(page, id, 'failed')
  await expect(receiptSheet(page)).toContainText(id)
  expect(await server.readTransactions(person.email)).toMatchObject([{ amount: 41.22, fees: 1.28 }])
})

const LOOKED_UP = [
  'Nous vérifions votre paiement',
  'Ne payez pas une seconde fois. Connectez-vous : vous verrez ce qui a été payé, ou que rien n’a été débité.',
]

test('a return in another browser shows the receipt after the sign-in', async ({ page, browser, server }) => {
  const person = await registerAndOpenHome(page, server)
  const id = await payAtBank(page, server, person)
  const other = await browser.newPage({ baseURL: server.origin })
  await returnFromBank(other, id, 'succeeded')
  for (const text of LOOKED_UP) await expect(other.getByText(getText(text))).toBeVisible()
  await signIn(other, person)
  await expect(receiptSheet(other)).toContainText(id)
  await expect(other).toHaveURL(`${server.origin}/`)
  expect(await server.readTransactions(person.email)).toHaveLength(1)
  await other.close()
})

sceneTest('a return keeps its address until its outcome is known and read', async ({ page }) => {
  const path = '/payment-complete?payment_intent=pi_1'
  const CHECKED = /encore en vérification/
  const readAddress = () => page.evaluate('sceneAddress.pathname + sceneAddress.search')
  for (const [response, said, kept] of [
    [NO_NETWORK, CHECKED, path],
    [{ value: { outcome: 'unclear', status: 'processing' } }, CHECKED, path],
    [{ value: { outcome: 'refunded' } }, /totalité vous est remboursée/, '/'],
    [{ value: { outcome: 'unpaid', status: 'requires_payment_method' } }, /n’a pas été terminé/, '/'],
  ] as const) {
    await openScene(page, 'home-empty', { path, responses: { 'functions.record-transfer': response } })
    await expect(page.getByText(said)).toBeVisible()
    expect(await readAddress()).toBe(path)
    await page.getByRole('button', { name: getText('C’est noté') }).click()
    expect(await readAddress()).toBe(kept)
  }
})

sceneTest('an unclear outcome is asked for again once the network is back', async ({ page }) => {
  const path = '/payment-complete?payment_intent=pi_1'
  await openScene(page, 'home-empty', { path, responses: { 'functions.record-transfer': NO_NETWORK } })
  await expect(page.getByText(/encore en vérification/)).toBeVisible()
  await setResponse(page, 'functions.record-transfer', { value: { outcome: 'refunded' } })
  await setOffline(page, false)
  await expect(page.getByText(/totalité vous est remboursée/)).toBeVisible()
})

sceneTest('a return is looked up although another payment is open here', async ({ page }) => {
  // Without an ID, the response to the reservation was lost.
  for (const id of [{ paymentIntentId: 'pi_2' }, {}]) {
    const copy = { uid: AWA.uid, kind: 'transfer', attempt: { id: 'a2' }, ...id } as const
    await openScene(page, 'home-empty', {
      path: '/payment-complete?payment_intent=pi_1',
      device: { openPayments: [copy] },
      responses: { 'functions.record-transfer': { value: { outcome: 'refunded' } } },
    })
    await expect(page.getByText(/totalité vous est remboursée/)).toBeVisible()
  }
})

sceneTest('a plan’s return in another browser warns against paying again', async ({ page }) => {
  await openScene(page, 'sign-in', { path: '/settings?session_id=cs_test_1' })
  for (const text of LOOKED_UP) await expect(page.getByText(getText(text))).toBeVisible()
})
