import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { getSplashPath, SPLASH_SCREENS } from '../../src/pwa/splash.ts'

const PUBLIC = join(import.meta.dirname, '../../public')
const BRAND = '#0f4c43'
const PAGE = '#f4eee2'
/** A maskable icon may be cut to any shape, but a circle of 80 % stays visible. */
const SAFE = 0.78

const icon = readFileSync(join(PUBLIC, 'icon.svg'), 'utf8')
const [, emblem = ''] = /<\/title><rect[^>]*>(.*)<\/svg>/s.exec(icon) ?? []

/** Draws icons and launch screens from public/icon.svg into public/. */
export async function drawIcons(page: Page) {
  await drawAppIcons(page)
  await drawSplashScreens(page)
}

async function drawAppIcons(page: Page) {
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
}

async function drawSplashScreens(page: Page) {
  for (const [width, height, density] of SPLASH_SCREENS) {
    const [wide, high] = [width * density, height * density]
    const side = Math.round(Math.min(wide, high) * 0.28)
    const at = `x="${(wide - side) / 2}" y="${(high - side) / 2}" width="${side}" height="${side}"`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}"><rect width="100%" height="100%" fill="${PAGE}"/>${icon.replace('<svg ', `<svg ${at} `)}</svg>`
    await draw(page, svg, wide, high, getSplashPath(width, height, density))
  }
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
  await page.screenshot({ path: join(PUBLIC, file), omitBackground: true })
}
