// Takes screenshots of every screen, or of those whose names contain a text, into screenshots/: npm run screenshots [-- name]
// With --readme it takes the pictures of the README instead, with --install the icons and pictures of the installed app.
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import type { Language } from '../../domain/language.ts'
import { goTo, type Screen, stageOf } from '../../e2e/screens/screen.ts'
import { SCREENS, screenNamed } from '../../e2e/screens.ts'
import { type Server, startServer } from '../../e2e/server.ts'
import { firstVisit } from '../../e2e/steps/device.ts'
import { findChromium } from '../setup/chromium.mjs'
import { drawIcons } from './icons.ts'

type Scheme = 'light' | 'dark'

const WINDOWS = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]

const PHONE = { width: 390, height: 780 }
const DESK = { width: 1200, height: 780 }
const PICTURES: { file: string; screen: string; viewport: typeof PHONE; scheme?: Scheme }[] = [
  { file: 'home-phone', screen: 'home-filled', viewport: PHONE },
  { file: 'home-desktop', screen: 'home-activity', viewport: DESK },
  { file: 'signed-out-phone', screen: 'sign-in', viewport: PHONE },
  { file: 'payment-phone', screen: 'payment', viewport: PHONE },
  { file: 'receipt-phone', screen: 'receipt-new', viewport: PHONE },
  { file: 'signed-out-dark-desktop', screen: 'sign-in', viewport: DESK, scheme: 'dark' },
]

const INSTALL_PHONE = { viewport: PHONE, deviceScaleFactor: 2 }
const INSTALL_DESK = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 }
/** The pictures of the install dialog. `top`: the element at the upper edge. */
const INSTALL_PICTURES = [
  { file: 'narrow-send', screen: 'home-filled', options: INSTALL_PHONE, top: 'body' },
  { file: 'narrow-receipt', screen: 'receipt-new', options: INSTALL_PHONE, top: 'body' },
  { file: 'narrow-activity', screen: 'home-activity', options: INSTALL_PHONE, top: '#activity' },
  { file: 'wide-home', screen: 'home-activity', options: INSTALL_DESK, top: 'body' },
]
const WEBP_QUALITY = 0.82

const { values: flags, positionals } = parseArgs({
  options: { readme: { type: 'boolean', default: false }, install: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const executablePath = await findChromium()
if (!executablePath) throw new Error('No Chromium found. `npm test` installs one.')

const { server, stop } = await startServer()
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  if (flags.readme) await takePictures(browser, server)
  else if (flags.install) await takeInstallPictures(browser, server)
  else await takeAll(browser, server, positionals[0] ?? '')
} finally {
  await browser.close()
  stop()
}

async function takeAll(browser: Browser, server: Server, filter: string) {
  mkdirSync('screenshots', { recursive: true })
  for (const screen of SCREENS.filter(({ name }) => name.includes(filter)))
    for (const language of ['fr', 'en'] as const)
      try {
        await takeScreen(browser, server, screen, language)
        console.log(`${screen.name} (${language})`)
      } catch (error) {
        // One screen that can't be reached does not cost the pictures of the others.
        console.error(`${screen.name} (${language}): ${error}`)
        process.exitCode = 1
      }
}

async function takeScreen(browser: Browser, server: Server, screen: Screen, language: Language) {
  const page = await pageOn(browser, server, screen, language, { viewport: { width: 390, height: 844 } })
  for (const scheme of ['light', 'dark'] as const)
    for (const viewport of WINDOWS) {
      await page.setViewportSize(viewport)
      await light(page, scheme)
      await screen.shows(stageOf(page, server, language)).waitFor()
      const path = `screenshots/${screen.name}-${viewport.width}-${scheme}-${language}.png`
      // A window as high as the page, so that what stays at the bottom is at the bottom. What lies over the page
      // scrolls for itself.
      if ((await page.getByRole('dialog').count()) === 0) {
        const height = await page.evaluate(() => document.documentElement.scrollHeight)
        await page.setViewportSize({ ...viewport, height })
      }
      await page.screenshot({ path, animations: 'disabled' })
    }
  await page.context().close()
}

async function takePictures(browser: Browser, server: Server) {
  mkdirSync('docs/pictures', { recursive: true })
  for (const { file, screen: name, viewport, scheme = 'light' } of PICTURES) {
    const screen = screenNamed(name)
    const options = { viewport, deviceScaleFactor: viewport === PHONE ? 1.5 : 1 }
    const page = await pageOn(browser, server, screen, 'en', options)
    await light(page, scheme)
    await page.evaluate(() => scrollTo(0, 0))
    await page.screenshot({ path: `docs/pictures/${file}.png`, animations: 'disabled' })
    await page.context().close()
  }
}

async function takeInstallPictures(browser: Browser, server: Server) {
  await drawIcons(await browser.newPage())
  mkdirSync('public/install', { recursive: true })
  for (const { file, screen, options, top } of INSTALL_PICTURES) {
    const page = await pageOn(browser, server, screenNamed(screen), 'fr', { ...options, hasTouch: false })
    await page.locator(top).evaluate((element) => element.scrollIntoView({ block: 'start' }))
    const png = await page.screenshot({ animations: 'disabled' })
    await page.context().close()
    writeFileSync(`public/install/${file}.webp`, await convertToWebp(browser, png))
  }
}

/** The same picture as WebP has a third of the bytes. */
async function convertToWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage()
  const url = await page.evaluate(
    async ([source, quality]) => {
      const picture = new Image()
      picture.src = source
      await picture.decode()
      const canvas = document.createElement('canvas')
      canvas.width = picture.naturalWidth
      canvas.height = picture.naturalHeight
      canvas.getContext('2d')?.drawImage(picture, 0, 0)
      return canvas.toDataURL('image/webp', quality)
    },
    [`data:image/png;base64,${png.toString('base64')}`, WEBP_QUALITY] as const,
  )
  await page.close()
  return Buffer.from(url.split(',')[1] ?? '', 'base64')
}

async function pageOn(
  browser: Browser,
  server: Server,
  screen: Screen,
  language: Language,
  options: BrowserContextOptions,
) {
  const context = await browser.newContext({
    baseURL: server.origin,
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    reducedMotion: 'reduce',
    hasTouch: true,
    serviceWorkers: 'block',
    ...options,
  })
  const page = await context.newPage()
  await firstVisit(page)
  await goTo(screen, stageOf(page, server, language))
  return page
}

async function light(page: Page, colorScheme: Scheme) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.locator('html').evaluate(
    (root, wanted) =>
      new Promise<void>((resolve) => {
        const look = () =>
          getComputedStyle(root).colorScheme === wanted ? resolve() : requestAnimationFrame(look)
        look()
      }),
    colorScheme,
  )
}
