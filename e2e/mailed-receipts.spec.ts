import { formatWait } from '../domain/common/wait.ts'
import { RECEIPT_TEXTS } from '../print/receiptTexts.ts'
import { BROKEN_CALL_ERRORS, expect, type Server, sceneTest, test } from './fixtures.ts'
import { historyWords, openSharing } from './steps/history.ts'
import { invoiceWords } from './steps/invoices.ts'
import { refuse } from './steps/moneyTexts.ts'
import { openScene, setOffline, setResponse } from './steps/scenes.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { receiptSheet, sendMoney } from './steps/transfer.ts'
import { defineTexts, getText } from './texts.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const said = defineTexts({
  mail: 'Recevoir par e-mail',
  sentTo: () => (address: string) => getText('Le reçu est parti à {address}.', { address }),
  notSent:
    'L’e-mail n’est pas parti. Votre paiement n’est pas touché : réessayez plus tard, ou téléchargez le reçu.',
  noAnswer:
    'Pas de réponse du réseau : l’e-mail est peut-être parti. Réessayez : vous ne le recevrez qu’une fois.',
  noAddress:
    'Votre compte n’a pas d’adresse e-mail vérifiée. Ajoutez-en une dans votre profil, ou téléchargez le reçu.',
  wait: () => (wait: string) =>
    getText('Le reçu est peut-être déjà en route. Réessayez dans {wait}.', { wait }),
  needsNetwork: 'Le reçu par e-mail demande le réseau. Le PDF se télécharge aussi sans réseau.',
})

const FUNCTION = '**/.netlify/functions/mail-receipt'

interface Mail {
  to: string[]
  subject: string
  attachments: { name: string; size: number }[]
}

async function readMailsTo(server: Server, address: string) {
  const mails: Mail[] = await (await fetch(`${server.origin}/sandbox/mails`)).json()
  return mails.filter(({ to }) => to.includes(address))
}

test('a receipt is mailed once, even if a response is lost', async ({ page, server, language }) => {
  const person = await registerAndOpenHome(page, server)
  await sendMoney(page, { amount: '100', phone: '+224 660 00 00 00' })
  await openSharing(page)
  const button = receiptSheet(page).getByRole('button', { name: said.mail })
  // The response to the first request is lost, and pressing again sends no second mail.
  await page.route(FUNCTION, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await button.click()
  await expect(page.getByText(said.noAnswer)).toBeVisible()
  await page.unroute(FUNCTION)
  await button.click()
  await expect(page.getByText(said.sentTo(person.email))).toBeVisible()
  await expect(page.getByText(said.noAnswer)).toBeHidden()
  const own = await readMailsTo(server, person.email)
  expect(own).toHaveLength(1)
  expect(own[0]?.subject).toContain(RECEIPT_TEXTS[language].title)
  expect(own[0]?.attachments).toMatchObject([{ name: expect.stringMatching(/^receipt-pi_\w+\.pdf$/) }])
  expect(own[0]?.attachments[0]?.size).toBeGreaterThan(10_000)
})

const MAIL = 'mailedReceipts.mailReceipt'

sceneTest('the receipt of a paid invoice is mailed too', async ({ page }) => {
  const address = 'awa@example.com'
  await openScene(page, 'invoice-receipt', { responses: { [MAIL]: { value: address } } })
  const receipt = page.getByRole('dialog', { name: invoiceWords.receipt })
  await receipt.getByRole('button', { name: historyWords.sharing, exact: true }).click()
  await receipt.getByRole('button', { name: said.mail }).click()
  await expect(page.getByText(said.sentTo(address))).toBeVisible()
})

sceneTest('a receipt that can’t be mailed says what to do', async ({ page, language }) => {
  await openScene(page, 'receipt-not-mailed')
  await expect(page.getByText(said.notSent)).toBeVisible()
  const button = receiptSheet(page).getByRole('button', { name: said.mail })
  for (const [refusal, text] of [
    [refuse('tooManyRequests', { retryAfterSeconds: 45 }), said.wait(formatWait(45, language))],
    [refuse('emailUnverified'), said.noAddress],
  ] as const) {
    await setResponse(page, MAIL, refusal)
    await button.click()
    await expect(page.getByText(text)).toBeVisible()
  }
  await setOffline(page, true)
  await expect(page.getByText(said.needsNetwork)).toBeVisible()
  await expect(button).toBeHidden()
})
