import { readFile } from 'node:fs/promises'
import { expect, test } from './fixtures.ts'
import { HISTORY_WORDS, NOW, openHistory, registerWith, rowsOf, transferOf } from './steps/history.ts'
import { expectHome } from './steps/pages.ts'
import { enter } from './steps/waysIn.ts'

test.beforeEach(async ({ page }) => {
  await page.clock.setFixedTime(NOW)
})

test('a link opens the receipt of a transfer, or says that there is none', async ({
  page,
  server,
  language,
  words,
}) => {
  const person = await registerWith(server, 40)
  await enter(page, server, language, person)
  const old = transferOf(person.uid, 35).id
  await page.goto(`/?transaction=${old}`)
  const receipt = page.getByRole('dialog', { name: words.receipt })
  await expect(receipt).toContainText(old)
  // Nobody pays it out from here, so no page tells where it stands.
  await expect(receipt.getByRole('img', { name: /QR/ })).toBeHidden()
  await expect(page).toHaveURL('/')
  await receipt.getByRole('button', { name: words.done }).click()
  await page.reload()
  await expectHome(page, words)
  await expect(receipt).toBeHidden()
})

test.describe('a link to a transfer of somebody else', () => {
  test.use({ expectedErrors: [/status of 403/] })

  test('shows nothing of it', async ({ page, server, language }) => {
    const other = await registerWith(server, 1)
    const person = await registerWith(server, 1)
    await enter(page, server, language, person)
    await page.goto(`/?transaction=${transferOf(other.uid, 0).id}`)
    await expect(page.getByText(HISTORY_WORDS[language].notFound)).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
  })
})

test('receipts are downloaded and shared, and ask nothing of the network', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = HISTORY_WORDS[language]
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
  await enter(page, server, language, person)
  await openHistory(page, said)
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
  await press(said.share)
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
  await press(said.share)
  await expect(page.getByRole('dialog').getByRole('button', { name: words.download })).toBeEnabled()
  await expect(page.getByRole('dialog').getByRole('alert')).toBeHidden()
  await refuse('NotAllowedError')
  await press(said.share)
  await expect(page.getByText(said.tapAgain)).toBeVisible()
  await refuse('')
  await press(said.share)
  await expect.poll(shared).toEqual([fileOf(0), fileOf(1)])
  await expect(page.getByText(said.tapAgain)).toBeHidden()
  await refuse('DataError')
  await press(said.share)
  await expect(page.getByText(said.noFile)).toBeVisible()
  await refuse('never')
  expect(await saved(said.share)).toBe(fileOf(1))
  expect(asked).toEqual([])
})

test('a receipt is shared as a picture, twice as sharp', async ({ page, server, language }) => {
  await page.addInitScript(() => {
    Object.assign(window, { shared: [] })
    Object.assign(navigator, {
      canShare: ({ files }: ShareData) => files?.[0]?.type === 'image/png',
      share: async ({ files }: ShareData) => {
        const [file] = files ?? []
        if (!file) return
        const { width } = await createImageBitmap(file)
        ;(window as unknown as { shared: object[] }).shared.push({ name: file.name, width })
      },
    })
  })
  const person = await registerWith(server, 1)
  await enter(page, server, language, person)
  await openHistory(page, HISTORY_WORDS[language])
  await rowsOf(page).first().getByRole('button').click()
  const receipt = page.getByRole('dialog')
  // The picture has lines of its own where the browser's copy breaks them elsewhere; its width is that of the paper.
  const width = await receipt
    .locator('dl')
    .first()
    .evaluate((list) => list.closest('section')?.parentElement?.getBoundingClientRect().width)
  await receipt.getByRole('button', { name: HISTORY_WORDS[language].picture }).click()
  const shared = () => page.evaluate(() => (window as unknown as { shared: object[] }).shared)
  await expect
    .poll(shared)
    .toEqual([{ name: expect.stringMatching(/^receipt-.*\.png$/), width: 2 * (width ?? 0) }])
})
