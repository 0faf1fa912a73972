import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { holdBack } from './steps/faults.ts'
import { historyWords, NOW, openHistory, registerWith, rowsOf, transferOf } from './steps/history.ts'
import { expectHome } from './steps/pages.ts'
import { receiptSheet } from './steps/transfer.ts'
import { enter } from './steps/waysIn.ts'
import { words } from './words.ts'

test.beforeEach(async ({ page }) => {
  await page.clock.setFixedTime(NOW)
})

const linesOf = (text: Locator): Promise<number> =>
  text.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  })

test('a link opens the receipt of a transfer, or says that there is none', async ({ page, server }) => {
  const person = await registerWith(server, 40)
  await enter(page, server, person)
  const old = transferOf(person.uid, 35).id
  await page.goto(`/?transaction=${old}`)
  const receipt = receiptSheet(page)
  await expect(receipt).toContainText(old)
  // Nobody pays it out from here, so no page tells where it stands.
  await expect(receipt.getByRole('img', { name: /QR/ })).toBeHidden()
  await expect(page).toHaveURL('/')
  for (const item of ['amountPaid', 'amountReceived'])
    expect(await linesOf(receipt.locator(`[data-item="${item}"] dt`)), item).toBe(1)
  await receipt.getByRole('button', { name: words.done }).click()
  await page.reload()
  await expectHome(page)
  await expect(receipt).toBeHidden()
})

test.describe('a link to a transfer of somebody else', () => {
  test.use({ expectedErrors: [/status of 403/] })

  test('shows nothing of it', async ({ page, server }) => {
    const other = await registerWith(server, 1)
    const person = await registerWith(server, 1)
    await enter(page, server, person)
    await page.goto(`/?transaction=${transferOf(other.uid, 0).id}`)
    await expect(page.getByText(historyWords.notFound)).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
  })
})

test('receipts are downloaded and shared, and ask nothing of the network @spec-receipts', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    const shared: string[] = []
    let refusal = ''
    Object.assign(window, { shared, refuse: (name: string) => (refusal = name) })
    Object.assign(navigator, {
      canShare: ({ files }: ShareData) => refusal !== 'never' && files?.[0]?.type === 'application/pdf',
      share: async ({ files }: ShareData) => {
        if (refusal) throw new DOMException('', refusal)
        shared.push(files?.[0]?.name ?? '')
      },
    })
  })
  const person = await registerWith(server, 3)
  await enter(page, server, person)
  await openHistory(page)
  const open = (place: number) => rowsOf(page).nth(place).getByRole('button').click()
  const press = (name: string) => page.getByRole('dialog').getByRole('button', { name }).click()
  const refuse = (name: string) =>
    page.evaluate((reason) => (window as unknown as { refuse(reason: string): void }).refuse(reason), name)
  const shared = () => page.evaluate(() => (window as unknown as { shared: string[] }).shared)
  const saved = async (button: string) => {
    const download = page.waitForEvent('download')
    await press(button)
    const file = await download
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
    return file.suggestedFilename()
  }
  const fileOf = (age: number) => `receipt-${transferOf(person.uid, age).id}.pdf`

  await open(0)
  expect(await saved(words.download)).toBe(fileOf(0))
  await press(historyWords.share)
  await expect.poll(shared).toEqual([fileOf(0)])
  await press(words.done)

  // The parts of the app that make a file are here now. The rest comes from the device.
  const asked: string[] = []
  page.on('request', (request) => {
    if (/^https?:/.test(request.url())) asked.push(request.url())
  })
  await open(1)
  expect(await saved(words.download)).toBe(fileOf(1))
  await refuse('AbortError')
  await press(historyWords.share)
  await expect(page.getByRole('dialog').getByRole('button', { name: words.download })).toBeEnabled()
  await expect(page.getByRole('dialog').getByRole('alert')).toBeHidden()
  await refuse('NotAllowedError')
  await press(historyWords.share)
  await expect(page.getByText(historyWords.tapAgain)).toContainText(historyWords.share)
  await refuse('')
  await press(historyWords.share)
  await expect.poll(shared).toEqual([fileOf(0), fileOf(1)])
  await expect(page.getByText(historyWords.tapAgain)).toBeHidden()
  await refuse('DataError')
  await press(historyWords.share)
  await expect(page.getByText(historyWords.noFile)).toBeVisible()
  await refuse('never')
  expect(await saved(historyWords.share)).toBe(fileOf(1))
  expect(asked).toEqual([])
})

test('a receipt is shared as a picture, twice as sharp @spec-receipt-picture', async ({ page, server }) => {
  await page.addInitScript(() => {
    const tried: (File | undefined)[] = []
    Object.assign(window, { shared: [], isSameFile: () => tried[0] !== undefined && tried[0] === tried[1] })
    Object.assign(navigator, {
      canShare: ({ files }: ShareData) => files?.[0]?.type === 'image/png',
      share: async ({ files }: ShareData) => {
        const [file] = files ?? []
        tried.push(file)
        // A slow phone draws for longer than a tap counts.
        if (tried.length === 1) throw new DOMException('', 'NotAllowedError')
        if (!file) return
        const { width } = await createImageBitmap(file)
        ;(window as unknown as { shared: object[] }).shared.push({ name: file.name, width })
      },
    })
  })
  const person = await registerWith(server, 1)
  await enter(page, server, person)
  await openHistory(page)
  await rowsOf(page).first().getByRole('button').click()
  const receipt = page.getByRole('dialog')
  // The picture has lines of its own where the browser's copy breaks them elsewhere; its width is that of the paper.
  const width = await receipt
    .locator('dl')
    .first()
    .evaluate((list) => list.closest('section')?.parentElement?.getBoundingClientRect().width)
  const picture = historyWords.picture
  await receipt.getByRole('button', { name: picture }).click()
  const ready = receipt.getByText(historyWords.tapAgain)
  await expect(ready).toContainText(picture)
  await receipt.getByRole('button', { name: picture }).click()
  const shared = () => page.evaluate(() => (window as unknown as { shared: object[] }).shared)
  await expect
    .poll(shared)
    .toEqual([{ name: expect.stringMatching(/^receipt-.*\.png$/), width: 2 * (width ?? 0) }])
  await expect(ready).toBeHidden()
  expect(
    await page.evaluate(() => (window as unknown as { isSameFile(): boolean }).isSameFile()),
    'the second tap is answered with what the first one made',
  ).toBe(true)
})

test.describe('a file that can not be made', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('is told of on the home screen, once the receipt was closed', async ({ page, server }) => {
    const CODE = '**/assets/receiptPdf-*.js'
    const person = await registerWith(server, 1)
    await enter(page, server, person)
    await page.goto(`/?transaction=${transferOf(person.uid, 0).id}`)
    const receipt = receiptSheet(page)
    await page.route(CODE, (route) => route.abort())
    const release = await holdBack(page, CODE)
    const asked = page.waitForRequest(CODE)
    await receipt.getByRole('button', { name: words.download }).click()
    await asked
    await receipt.getByRole('button', { name: words.done }).click()
    await expect(receipt).toBeHidden()
    release()
    await expect(page.getByRole('alert').getByText(historyWords.noFile)).toBeVisible()
  })
})
