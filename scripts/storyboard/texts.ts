import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { openScene, setLanguage } from '../../e2e/steps/scenes.ts'
import { SCENES } from '../../scenes/scenes.ts'
import { launchChromium } from '../setup/chromium.mjs'
import type { SceneTexts } from './data.ts'
import { TEXTS_FILE } from './files.ts'
import { WINDOW_SIZES } from './selection.ts'

type Texts = Record<string, SceneTexts[string]>

const PAGES = 4

/** @throws if a scene can't be shown, even alone. */
export async function collectTexts(): Promise<void> {
  // A page lives too briefly for optimized code to pay off.
  const browser = await launchChromium(['--js-flags=--no-maglev --no-turbofan'])
  const texts: Texts = {}
  const openReader = async () => {
    const page = await browser.newPage({ viewport: WINDOW_SIZES.phone, reducedMotion: 'reduce' })
    return (name: string) => readScene(page, name, texts)
  }
  try {
    const names = SCENES.map(({ name }) => name)
    await readAll(names, openReader)
  } finally {
    await browser.close()
  }
  writeFileSync(TEXTS_FILE, JSON.stringify(texts))
}

/** The machine may have been busy, so a failed scene is read again alone. @throws if it fails again. */
export async function readAll(
  names: readonly string[],
  openReader: () => Promise<(name: string) => Promise<void>>,
): Promise<void> {
  const queue = [...names]
  const failures: string[] = []
  const readQueue = async () => {
    const readOne = await openReader()
    for (let name = queue.pop(); name; name = queue.pop())
      await readOne(name).catch(() => failures.push(name))
  }
  await Promise.all(Array.from({ length: PAGES }, readQueue))
  if (failures.length === 0) return
  const readAlone = await openReader()
  for (const name of failures) await readAlone(name)
}

async function readScene(page: Page, name: string, texts: Texts) {
  await openScene(page, name, { language: 'fr' })
  const fr = await readText(page)
  const announced = await listAnnouncements(page)
  await setLanguage(page, 'en')
  const isStale = (await listAnnouncements(page)).some((text) => announced.includes(text))
  if (isStale) await openScene(page, name, { language: 'en' })
  texts[name] = { fr, en: await readText(page) }
}

const readText = (page: Page) => page.evaluate(() => document.body.textContent ?? '')

// Live regions keep their language until they announce something else.
const listAnnouncements = async (page: Page) =>
  (await page.locator('[role=status], [role=alert]').allTextContents()).filter((text) => text.trim() !== '')
