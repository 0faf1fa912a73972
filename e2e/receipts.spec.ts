import { readFile } from 'node:fs/promises'
import { formatWait } from '../domain/common/wait.ts'
import { HISTORY } from '../scenes/transactions.ts'
import { expect, sceneTest, test } from './fixtures.ts'
import {
  buildStoredTransfer,
  HISTORY_NOW,
  historyRows,
  historyWords,
  openHistory,
  openHomeWithTransfers,
  openSharing,
  registerWithTransfers,
} from './steps/history.ts'
import { invoiceWords } from './steps/invoices.ts'
import { NO_NETWORK, refuse } from './steps/moneyTexts.ts'
import { listCalls, openScene, releaseCode, setOffline, setResponse } from './steps/scenes.ts'
import { openSignedInHome } from './steps/signIn.ts'
import { closeReceipt, receiptSheet } from './steps/transfer.ts'
import { defineTexts, getText } from './texts.ts'
import { words } from './words.ts'

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

const MAIL = 'mailedReceipts.mailReceipt'

// Scenes have a clock of their own, and no base URL.
test.beforeEach(async ({ page, baseURL }) => {
  if (baseURL) await page.clock.setFixedTime(HISTORY_NOW)
})

sceneTest('a receipt is printed alone, whole, in black on white @both', async ({ page }) => {
  const [{ id }] = HISTORY
  const receipt = receiptSheet(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await openScene(page, 'receipt')
  await expect(receipt.getByText(id)).toBeHidden()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expect(receipt.getByText(id)).toBeVisible()
  const form = page.getByRole('heading', { name: words.send, includeHidden: true })
  await expect(form).toBeAttached()
  await expect(form).toBeHidden()
  await expect(receipt.getByRole('button')).toHaveCount(0)
  for (const part of [receipt.locator('dd').first(), receipt.locator('section').first()]) {
    await expect(part).toHaveCSS('color', 'rgb(0, 0, 0)')
    await expect(part).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  }
  const cut = await receipt.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
  expect(cut).toBeLessThanOrEqual(1)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await expect(receipt.getByText(id)).toBeHidden()
})

test.describe('a link to another user’s transfer', () => {
  test.use({ expectedErrors: [/status of 403/] })

  test('a link to another user’s transfer shows none of its data @desk', async ({ page, server }) => {
    const other = await registerWithTransfers(server, 1)
    await openHomeWithTransfers(page, server, 1)
    await page.goto(`/?transaction=${buildStoredTransfer(other.uid, 0).id}`)
    await expect(page.getByText(historyWords.notFound)).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
  })
})

test('receipts are saved and shared without requests @spec-receipts @desk', async ({ page, server }) => {
  await page.addInitScript(() => {
    const shared: string[] = []
    Object.assign(window, { shared })
    Object.assign(navigator, {
      canShare: ({ files }: ShareData) => files?.[0]?.type === 'application/pdf',
      share: async ({ files }: ShareData) => void shared.push(files?.[0]?.name ?? ''),
    })
  })
  const person = await openHomeWithTransfers(page, server, 3)
  await openHistory(page)
  const shared = () => page.evaluate(() => Reflect.get(window, 'shared') as string[])
  const getReceiptFileName = (age: number) => `receipt-${buildStoredTransfer(person.uid, age).id}.pdf`
  const saveAndShare = async (age: number) => {
    await historyRows(page).nth(age).getByRole('button').click()
    const receipt = receiptSheet(page)
    const download = page.waitForEvent('download')
    await receipt.getByRole('button', { name: words.download }).click()
    const file = await download
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
    expect(file.suggestedFilename()).toBe(getReceiptFileName(age))
    await openSharing(page)
    await receipt.getByRole('button', { name: historyWords.share }).click()
    await expect.poll(async () => (await shared()).at(-1)).toBe(getReceiptFileName(age))
    await closeReceipt(page)
  }
  await saveAndShare(0)
  // The chunks that create files have loaded, and everything else is on the device.
  const asked: string[] = []
  page.on('request', (request) => {
    if (/^https?:/.test(request.url())) asked.push(request.url())
  })
  await saveAndShare(1)
  expect(asked).toEqual([])
})

sceneTest('a receipt is shared as a picture of double size @spec-receipt-picture @desk', async ({ page }) => {
  await openScene(page, 'receipt')
  await page.evaluate(() => {
    const tried: (File | undefined)[] = []
    Object.assign(window, { tried })
    Object.assign(navigator, {
      canShare: ({ files }: ShareData) => files?.[0]?.type === 'image/png',
      share: async ({ files }: ShareData) => {
        tried.push(files?.[0])
        // On a slow phone, drawing takes longer than the browser remembers a tap; then the user gives up.
        const refusal = ['NotAllowedError', 'AbortError'][tried.length - 1]
        if (refusal) throw new DOMException('', refusal)
      },
    })
  })
  const receipt = receiptSheet(page)
  const picture = receipt.getByRole('button', { name: historyWords.picture })
  const ready = receipt.getByText(historyWords.tapAgain)
  await openSharing(page)
  await picture.click()
  await expect(ready).toContainText(historyWords.picture)
  for (let tap = 0; tap < 2; tap += 1) {
    await picture.click()
    await expect(picture).toBeEnabled()
    await expect(ready).toBeHidden()
    await expect(receipt.getByRole('alert')).toBeHidden()
  }
  const shared = await page.evaluate(async () => {
    const [first, , last] = Reflect.get(window, 'tried') as File[]
    if (!first || !last) return null
    return { name: last.name, isSame: first === last, width: (await createImageBitmap(last)).width }
  })
  // The receipt is 116 mm wide, at 96 pixels per inch.
  const width = Math.round(2 * 116 * (96 / 25.4))
  expect(shared).toEqual({ name: expect.stringMatching(/^receipt-.*\.png$/), isSame: true, width })
})

sceneTest('a browser that falsifies pictures shares a receipt as PDF @desk', async ({ page }) => {
  await openScene(page, 'receipt')
  await page.evaluate(() => {
    CanvasRenderingContext2D.prototype.getImageData = (_x, _y, width, height) => {
      const noise = new ImageData(width, height)
      crypto.getRandomValues(noise.data)
      return noise
    }
  })
  await openSharing(page)
  const saved = page.waitForEvent('download')
  await receiptSheet(page).getByRole('button', { name: historyWords.picture }).click()
  expect((await saved).suggestedFilename()).toMatch(/^receipt-.*\.pdf$/)
  await expect(receiptSheet(page).getByText(historyWords.pdfInstead)).toBeVisible()
})

test.describe('a receipt in dark mode', () => {
  test.use({ colorScheme: 'dark' })

  test('a receipt’s picture is as stored, even in dark mode @desk', async ({ page, server, language }) => {
    const person = await registerWithTransfers(server, 0)
    const transfer = buildStoredTransfer(person.uid, 0, { id: `pi_3MtwBwLkdIwHu7ix28a3tq${language}` })
    await server.write(`transactions/${transfer.id}`, transfer)
    await openSignedInHome(page, server, person)
    await page.goto(`/?transaction=${transfer.id}`)
    await openSharing(page)
    const download = page.waitForEvent('download')
    await receiptSheet(page).getByRole('button', { name: historyWords.picture }).click()
    // Tolerates differences in font smoothing, but not a moved letter.
    expect(await readFile(await (await download).path())).toMatchSnapshot(`receipt-${language}.png`, {
      threshold: 0.2,
      maxDiffPixelRatio: 0.005,
    })
  })
})

sceneTest('a failed file is reported after its receipt is closed @desk', async ({ page }) => {
  await openScene(page, 'receipt', { heldCode: 'shareReceipt' })
  await receiptSheet(page).getByRole('button', { name: words.download }).click()
  await closeReceipt(page)
  await page.evaluate(() => {
    URL.createObjectURL = () => {
      throw new Error()
    }
  })
  await releaseCode(page)
  await expect(page.getByRole('alert').getByText(historyWords.noFile)).toBeVisible()
})

sceneTest('a receipt is mailed once, even if a response is lost', async ({ page }) => {
  const address = 'awa@example.com'
  await openScene(page, 'invoice-receipt', { responses: { [MAIL]: NO_NETWORK } })
  const receipt = page.getByRole('dialog', { name: invoiceWords.receipt })
  await receipt.getByRole('button', { name: historyWords.sharing, exact: true }).click()
  const button = receipt.getByRole('button', { name: said.mail })
  for (const [response, text] of [
    [NO_NETWORK, said.noAnswer],
    [{ value: address }, said.sentTo(address)],
    [{ value: address }, said.sentTo(address)],
  ] as const) {
    await setResponse(page, MAIL, response)
    await button.click()
    await expect(page.getByText(text)).toBeVisible()
  }
  await expect(page.getByText(said.noAnswer)).toBeHidden()
  // The server mails a receipt once for each press.
  const [lost, repeated, other] = (await listCalls(page, MAIL)).map(([, press]) => press)
  expect(repeated).toBe(lost)
  expect(other).not.toBe(lost)
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
