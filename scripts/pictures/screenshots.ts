// `npm run screenshots`: takes screenshots of every scene into screenshots/. `-- NAME` takes only some, `--
// --readme` those of the README (`--into FOLDER` elsewhere), `-- --install` the icons and pictures of the
// installed app.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import type { Language } from '../../domain/common/language.ts'
import { openScene } from '../../e2e/steps/scenes.ts'
import { ensureFrameBuilt } from '../../scenes/build/frame.ts'
import { SCENES } from '../../scenes/scenes.ts'
import { launchChromium } from '../setup/chromium.mjs'
import { drawIcons } from './icons.ts'

type Scheme = 'light' | 'dark'

const WINDOWS = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]

const PHONE = { width: 390, height: 780 }
const DESK = { width: 1200, height: 780 }
const PICTURES: { file: string; scene: string; viewport: typeof PHONE; scheme?: Scheme }[] = [
  { file: 'home-phone', scene: 'home-filled', viewport: PHONE },
  { file: 'home-desktop', scene: 'home-activity', viewport: DESK },
  { file: 'signed-out-phone', scene: 'sign-in', viewport: PHONE },
  { file: 'payment-phone', scene: 'payment', viewport: PHONE },
  { file: 'receipt-phone', scene: 'receipt-new', viewport: PHONE },
  { file: 'signed-out-dark-desktop', scene: 'sign-in', viewport: DESK, scheme: 'dark' },
]

const INSTALL_PHONE = { viewport: PHONE, deviceScaleFactor: 2 }
const INSTALL_DESK = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 }
const INSTALL_PICTURES = [
  { file: 'narrow-send', scene: 'home-filled', options: INSTALL_PHONE },
  { file: 'narrow-receipt', scene: 'receipt-new', options: INSTALL_PHONE },
  { file: 'narrow-activity', scene: 'history', options: INSTALL_PHONE },
  { file: 'wide-home', scene: 'home-activity', options: INSTALL_DESK },
]
const HEADING_FONT = '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-600-normal.woff2'
const WEBP_QUALITY = 0.82

const { values: flags, positionals } = parseArgs({
  options: {
    readme: { type: 'boolean', default: false },
    into: { type: 'string', default: 'docs/pictures' },
    install: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
ensureFrameBuilt()
const browser = await launchChromium()
try {
  if (flags.readme) await takePictures(browser, flags.into)
  else if (flags.install) await takeInstallPictures(browser)
  else await takeAll(browser, positionals[0] ?? '')
} finally {
  await browser.close()
}

async function takeAll(browser: Browser, filter: string) {
  mkdirSync('screenshots', { recursive: true })
  for (const { name } of SCENES.filter((scene) => scene.name.includes(filter)))
    for (const language of ['fr', 'en'] as const)
      try {
        await takeScene(browser, name, language)
        console.log(`${name} (${language})`)
      } catch (error) {
        // A broken scene must not prevent the other pictures.
        console.error(`${name} (${language}): ${error}`)
        process.exitCode = 1
      }
}

async function takeScene(browser: Browser, name: string, language: Language) {
  const page = await openScenePage(browser, name, language, { viewport: { width: 390, height: 844 } })
  for (const scheme of ['light', 'dark'] as const)
    for (const viewport of WINDOWS) {
      await page.setViewportSize(viewport)
      await setColorScheme(page, scheme)
      const path = `screenshots/${name}-${viewport.width}-${scheme}-${language}.png`
      // Fixed elements stay at the bottom only if the window is as high as the page. A dialog scrolls its own
      // content.
      if ((await page.getByRole('dialog').count()) === 0) {
        const height = await page.evaluate(() => document.documentElement.scrollHeight)
        await page.setViewportSize({ ...viewport, height })
      }
      await page.screenshot({ path, animations: 'disabled' })
    }
  await page.context().close()
}

async function takePictures(browser: Browser, folder: string) {
  mkdirSync(folder, { recursive: true })
  for (const { file, scene, viewport, scheme = 'light' } of PICTURES) {
    const options = { viewport, deviceScaleFactor: viewport === PHONE ? 1.5 : 1 }
    const page = await openScenePage(browser, scene, 'en', options)
    await setColorScheme(page, scheme)
    await page.evaluate(() => scrollTo(0, 0))
    await page.screenshot({ path: `${folder}/${file}.png`, animations: 'disabled' })
    await page.context().close()
  }
}

async function takeInstallPictures(browser: Browser) {
  await drawIcons(await browser.newPage())
  mkdirSync('public/install', { recursive: true })
  for (const { file, scene, options } of INSTALL_PICTURES) {
    const page = await openScenePage(browser, scene, 'fr', { ...options, hasTouch: false })
    await page.evaluate(() => scrollTo(0, 0))
    const png = await page.screenshot({ animations: 'disabled' })
    await page.context().close()
    writeFileSync(`public/install/${file}.webp`, await convertToWebp(browser, png))
  }
}

/** WebP takes a third of the bytes. */
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

async function openScenePage(
  browser: Browser,
  scene: string,
  language: Language,
  options: BrowserContextOptions,
) {
  const context = await browser.newContext({
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    reducedMotion: 'reduce',
    hasTouch: true,
    ...options,
  })
  const page = await context.newPage()
  await openScene(page, scene, { language })
  await showPhoneFonts(page)
  return page
}

/** A first visit loads the headings' font too late. */
async function showPhoneFonts(page: Page) {
  const font = readFileSync(fileURLToPath(import.meta.resolve(HEADING_FONT)), 'base64')
  await page.evaluate(async (source) => {
    document.documentElement.style.setProperty('--font-text', 'Roboto, system-ui')
    const face = new FontFace('Headings', `url(data:font/woff2;base64,${source})`, { weight: '600' })
    document.fonts.add(await face.load())
    document.documentElement.style.setProperty('--font-display', 'Headings, Roboto')
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  }, font)
}

async function setColorScheme(page: Page, colorScheme: Scheme) {
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
