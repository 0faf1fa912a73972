import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { createQrCode } from '../print/qrCode.ts'
import { BROKEN_CALL_ERRORS, expect, type Server, test, WITH_PAYOUTS } from './fixtures.ts'
import { waitUntilInstalled } from './steps/deployment.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { activityRows, confirmForm, fillTransfer, payAndExpectReceipt } from './steps/transfer.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

test.use({
  settings: WITH_PAYOUTS,
  serviceWorkers: 'allow',
  expectedErrors: [BROKEN_CALL_ERRORS],
})

const said = defineTexts({
  code: 'Code QR du suivi',
  openCamera: 'Ouvrir la caméra',
  genuine: 'Reçu authentique',
  altered: 'Reçu non authentique',
  later:
    'Ce code ne sait pas ce qui a suivi le {instant} : une annulation, un remboursement ou une contestation est possible.',
  noCode:
    'Aucun code n’a été trouvé dans cette image. Choisissez une image nette, où tout le code est visible.',
})

const PAGE = '/check-receipt.html'

/** Returns a picture of the code on the sender's screen, and the transfer. */
async function pictureCode(page: Page, server: Server) {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '100' })
  await confirmForm(page)
  await payAndExpectReceipt(page)
  await page.getByText(words.allDetails).click()
  const picture = await page.getByRole('img', { name: said.code }).screenshot()
  const [transfer] = await server.readTransactions(person.email)
  return { picture, id: String(transfer?.id), link: String(transfer?.recipientLink) }
}

/** The first visit is to this page alone. */
async function openOffline(page: Page, context: BrowserContext, origin: string) {
  await page.goto(`${origin}${PAGE}`)
  await waitUntilInstalled(page)
  await context.setOffline(true)
  await page.goto(`${origin}${PAGE}`)
}

/** Slows the processor down four times, as on a cheap phone. Other work of the machine does not count. */
async function throttle(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const read = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  const before = await read()
  return async () => (await read()) - before
}

const WIDTH = 640
const HEIGHT = 480

/** A video of the picture, in the format that Chromium's fake camera reads. */
async function createVideo(page: Page, picture: Buffer): Promise<string> {
  const luma = await page.evaluate(
    async ([base64, width, height]) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes]))
      const context = new OffscreenCanvas(width, height).getContext('2d')
      if (!context) return []
      context.fillStyle = 'grey'
      context.fillRect(0, 0, width, height)
      const side = height * 0.8
      context.drawImage(bitmap, (width - side) / 2, (height - side) / 2, side, side)
      const { data } = context.getImageData(0, 0, width, height)
      return Array.from({ length: width * height }, (_, at) => data[at * 4] ?? 0)
    },
    [picture.toString('base64'), WIDTH, HEIGHT] as const,
  )
  const colors = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  const frame = Buffer.concat([Buffer.from('FRAME\n'), Buffer.from(luma), colors])
  const file = join(mkdtempSync(join(tmpdir(), 'passerelle-camera-')), 'camera.y4m')
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`)
  writeFileSync(file, Buffer.concat([head, frame, frame]))
  return file
}

test('picture and camera prove a receipt offline @spec-receipt-proof', async ({ page, server, context }) => {
  const { picture, id, link } = await pictureCode(page, server)
  const { launchOptions = {}, locale = '', timezoneId = '', viewport = null } = test.info().project.use
  const browser = await chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${await createVideo(page, picture)}`,
    ],
  })
  try {
    const ofStranger = await browser.newContext({ locale, timezoneId, viewport, permissions: ['camera'] })
    const stranger = await ofStranger.newPage()
    await openOffline(stranger, ofStranger, server.origin)
    await stranger.getByRole('button', { name: said.openCamera }).click()
    await expect(stranger.getByText(said.genuine)).toBeVisible()
    await expect(stranger.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(stranger.getByRole('main')).toContainText(id)
    await expect(stranger.getByRole('main')).toContainText(said.later)
  } finally {
    await browser.close()
  }

  await openOffline(page, context, server.origin)
  const choose = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer })
  await choose('autre.png', await page.screenshot())
  await expect(page.getByText(said.noCode)).toBeVisible()
  const measure = await throttle(page)
  await choose('recu.png', picture)
  await expect(page.getByText(said.genuine)).toBeVisible()
  expect(await measure(), 'CPU time until the verdict, in seconds').toBeLessThan(2)
  await expect(page.getByRole('main')).toContainText(id)
  const last = link.at(-3) === 'A' ? 'B' : 'A'
  await page.goto(`${server.origin}${link.slice(0, -3)}${last}${link.slice(-2)}`)
  await expect(page.getByText(said.altered)).toBeVisible()
  await page.goto(`${server.origin}${link}`)
  await expect(page.getByText(said.genuine)).toBeVisible()

  // The sender's app draws the code from the stored receipt.
  await page.goto(server.origin)
  await expect(page.getByRole('button', { name: words.retry })).toBeVisible()
  await activityRows(page).first().click()
  await page.getByText(words.allDetails).click()
  const code = page.getByRole('img', { name: said.code }).locator('path')
  await expect(code).toHaveAttribute('d', createQrCode(`${server.origin}${link}`).path)
})
