import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { chromium, type Page } from '@playwright/test'
import { openScene, setLanguage } from '../../e2e/steps/scenes.ts'
import { SCENES } from '../../scenes/scenes.ts'
import { findChromium } from '../setup/chromium.mjs'
import type { SceneRecord } from './data.ts'
import { LOOKS_FILE, TEXTS_FILE } from './files.ts'
import { WINDOW_SIZES } from './selection.ts'

interface Found {
  readonly texts: Record<string, SceneRecord[string]>
  readonly looks: Record<string, SceneRecord[string]>
}

const PAGES = 4

/** @throws if a scene can't be shown, even alone. */
export async function collectTexts(): Promise<void> {
  const executablePath = await findChromium()
  if (!executablePath) throw new Error('No Chromium found. `npm test` installs one.')
  // A page lives too briefly for optimized code to pay off.
  const args = ['--no-sandbox', '--js-flags=--no-maglev --no-turbofan']
  const browser = await chromium.launch({ executablePath, args })
  const found: Found = { texts: {}, looks: {} }
  const openReader = async () => {
    const page = await browser.newPage({ viewport: WINDOW_SIZES.phone, reducedMotion: 'reduce' })
    return (name: string) => readScene(page, name, found)
  }
  try {
    const names = SCENES.map(({ name }) => name)
    await readAll(names, openReader)
  } finally {
    await browser.close()
  }
  writeFileSync(TEXTS_FILE, JSON.stringify(found.texts))
  writeFileSync(LOOKS_FILE, JSON.stringify(found.looks))
}

/** The machine may have been busy, so a failed scene is read again alone. @throws if it fails again. */
export async function readAll(
  names: readonly string[],
  openReader: () => Promise<(name: string) => Promise<void>>,
): Promise<void> {
  const left = [...names]
  const failed: string[] = []
  const readLeft = async () => {
    const read = await openReader()
    for (let name = left.pop(); name; name = left.pop()) await read(name).catch(() => failed.push(name))
  }
  await Promise.all(Array.from({ length: PAGES }, readLeft))
  if (failed.length === 0) return
  const readAlone = await openReader()
  for (const name of failed) await readAlone(name)
}

async function readScene(page: Page, name: string, { texts, looks }: Found) {
  await openScene(page, name, { language: 'fr' })
  const fr = await read(page)
  const announced = await listAnnouncements(page)
  await setLanguage(page, 'en')
  const isStale = (await listAnnouncements(page)).some((text) => announced.includes(text))
  if (isStale) await openScene(page, name, { language: 'en' })
  const en = await read(page)
  texts[name] = { fr: fr.text, en: en.text }
  looks[name] = { fr: fr.look, en: en.look }
}

async function read(page: Page) {
  const { text, look } = await page.evaluate(describeScreen, STYLES)
  return { text, look: createHash('sha256').update(look).digest('hex').slice(0, 12) }
}

/** Leaves out the styles of text and position, which depend on the system's fonts. */
const STYLES = [
  'display position visibility opacity overflow-x overflow-y z-index transform box-shadow color text-align',
  'width height min-width min-height max-width max-height top right bottom left row-gap column-gap',
  'margin-top margin-right margin-bottom margin-left padding-top padding-right padding-bottom padding-left',
  'flex-direction flex-wrap flex-grow flex-shrink flex-basis align-items align-self justify-content order',
  'grid-template-columns grid-template-rows grid-column-start grid-row-start text-transform text-decoration-line',
  'font-family font-size font-weight font-style line-height letter-spacing white-space-collapse',
  'background-color background-image fill stroke outline-style border-top-left-radius border-bottom-right-radius',
  'border-top-width border-right-width border-bottom-width border-left-width border-top-color border-bottom-color',
].flatMap((line) => line.split(' '))

/** Runs in the page. Unlike `getComputedStyle`, a style map's values don't depend on the layout. */
function describeScreen(styles: readonly string[]) {
  for (const animation of document.getAnimations()) animation.cancel()
  const elements = [...document.body.querySelectorAll('*')]
  const look = elements.map((element) => {
    const map = element.computedStyleMap()
    const states = ['role', 'type', 'aria-expanded', 'aria-selected', 'aria-invalid', 'disabled', 'd', 'src']
    return [
      element.tagName,
      element.childElementCount,
      ...states.map((name) => element.getAttribute(name)),
      ...styles.map((style) => map.get(style)),
    ].join()
  })
  return { text: document.body.textContent ?? '', look: look.join('\n') }
}

// Live regions keep their language until they announce something else.
const listAnnouncements = async (page: Page) =>
  (await page.locator('[role=status], [role=alert]').allTextContents()).filter((text) => text.trim() !== '')
