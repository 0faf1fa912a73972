// Makes the pictures of the installed app from public/icon.svg and from the product's own screens: icons, the start
// screens of iOS, and what the install dialog shows. Run it when one of those changes; the results are kept in public/.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { goTo, stageOf } from '../../e2e/screens/screen.ts'
import { screenNamed } from '../../e2e/screens.ts'
import { startServer } from '../../e2e/server.ts'
import { firstVisit } from '../../e2e/steps/device.ts'
import { SPLASH_SCREENS, splashFile } from '../../src/pwa/splash.ts'
import { findChromium } from '../setup/chromium.mjs'

const PUBLIC = join(import.meta.dirname, '../../public')
const BRAND = '#0f4c43'
const PAGE = '#f6f2ea'
/** Of an icon that is cut to any shape, only a circle of four fifths is sure to be seen. */
const SAFE = 0.78
const WEBP_QUALITY = 0.82

const PHONE = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 }
const DESK = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 }
/** `top`: what stands at the upper edge. */
const SHOTS = [
  { file: 'narrow-send', screen: 'home-filled', window: PHONE, top: 'body' },
  { file: 'narrow-receipt', screen: 'receipt-new', window: PHONE, top: 'body' },
  { file: 'narrow-activity', screen: 'home-activity', window: PHONE, top: '#activity' },
  { file: 'wide-home', screen: 'home-activity', window: DESK, top: 'body' },
]

const icon = readFileSync(join(PUBLIC, 'icon.svg'), 'utf8')
/** The bridge without the tile that it stands on. */
const [, emblem = ''] = /<\/title><rect[^>]*>(.*)<\/svg>/s.exec(icon) ?? []

const executablePath = await findChromium()
if (!executablePath) throw new Error('No Chromium found. `npm test` installs one.')
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const { server, stop } = await startServer()
try {
  await drawIcons(browser)
  await drawSplashScreens(browser)
  await takeScreenshots(browser)
} finally {
  await browser.close()
  stop()
}

async function drawIcons(browser: Browser) {
  const page = await browser.newPage()
  const full = tile(emblem, BRAND)
  const alone = tile(emblem.replace(/#\w{6}/g, '#fff'), 'none')
  for (const size of [192, 512]) {
    await draw(page, icon, size, size, `icons/icon-${size}.png`)
    await draw(page, full, size, size, `icons/maskable-${size}.png`)
  }
  await draw(page, alone, 512, 512, 'icons/monochrome-512.png')
  // iOS rounds the corners itself.
  await draw(page, full, 180, 180, 'apple-touch-icon.png')
  for (const [name, path] of Object.entries({
    send: 'M16 45c3-17 8-22 16-22s13 5 16 22M14 45h36M32 19v-8m0 0l-6 6M32 11l6 6',
    history: 'M18 20h28M18 32h28M18 44h18',
  })) {
    const sign = `<path d="${path}" fill="none" stroke="#f7f4ee" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>`
    await draw(page, tile(sign, BRAND), 96, 96, `icons/shortcut-${name}-96.png`)
  }
  await page.close()
}

async function drawSplashScreens(browser: Browser) {
  const page = await browser.newPage()
  for (const [width, height, density] of SPLASH_SCREENS) {
    const [wide, high] = [width * density, height * density]
    const side = Math.round(Math.min(wide, high) * 0.28)
    const at = `x="${(wide - side) / 2}" y="${(high - side) / 2}" width="${side}" height="${side}"`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}"><rect width="100%" height="100%" fill="${PAGE}"/>${icon.replace('<svg ', `<svg ${at} `)}</svg>`
    await draw(page, svg, wide, high, splashFile(width, height, density))
  }
  await page.close()
}

function tile(content: string, ground: string) {
  const safe = `translate(32 32) scale(${SAFE}) translate(-32 -32)`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="${ground}"/><g transform="${safe}">${content}</g></svg>`
}

async function draw(page: Page, svg: string, width: number, height: number, file: string) {
  await page.setViewportSize({ width, height })
  await page.setContent(
    `<style>html,body{margin:0;background:transparent}svg{display:block}body>svg{width:${width}px;height:${height}px}</style>${svg}`,
  )
  write(file, await page.screenshot({ omitBackground: true }))
}

async function takeScreenshots(browser: Browser) {
  for (const { file, screen: name, window, top } of SHOTS) {
    const screen = screenNamed(name)
    const context = await browser.newContext({
      ...window,
      baseURL: server.origin,
      locale: 'fr-FR',
      timezoneId: 'Europe/Paris',
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
    })
    const page = await context.newPage()
    await firstVisit(page)
    await goTo(screen, stageOf(page, server, 'fr'))
    await page.locator(top).evaluate((element) => element.scrollIntoView({ block: 'start' }))
    const png = await page.screenshot({ animations: 'disabled' })
    await context.close()
    write(`install/${file}.webp`, await asWebp(browser, png))
  }
}

/** A third of the bytes of the same picture as PNG. */
async function asWebp(browser: Browser, png: Buffer): Promise<Buffer> {
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

function write(file: string, bytes: Buffer) {
  const path = join(PUBLIC, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}
