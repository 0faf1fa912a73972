import { expect, type Page, test } from '@playwright/test'
import type { Language } from '../domain/common/language.ts'
import { findAxeViolations } from './axe.ts'
import { loadChecker } from './checkers.ts'
import { applyTextSpacing, createFontSizeSetter, findLayoutProblems, findTargetProblems } from './layout.ts'

interface Size {
  width: number
  height: number
}

export const PHONE_VIEWPORT = { width: 360, height: 740 }
const NARROWEST = { width: 320, height: 640 }
const DESK = { width: 1280, height: 800 }
const ZOOMED = { width: 640, height: 400 }

/** Font sizes in pixels: the browser's default, then 150 and 200 percent. */
const DEFAULT_FONT_SIZE = 16
const FONT_SIZES = [DEFAULT_FONT_SIZE, 24, 32]

type Check = (what: string, find: () => Promise<string[]>) => Promise<void>

/** The report of a run lists the steps, and so says what was checked. */
const createCheck =
  (language: Language): Check =>
  (what, find) =>
    test.step(`${language}, ${what}`, async () =>
      expect.soft(await find(), `${language}, ${what}`).toEqual([]))

/** Checks a phone in the light scheme, and the layout in two widths. */
export async function checkScreenOnce(page: Page, language: Language) {
  const check = createCheck(language)
  await showWhole(page, PHONE_VIEWPORT)
  await check(`${PHONE_VIEWPORT.width} px, light: rules`, () => findAxeViolations(page, 'light'))
  await check('targets', () => findTargetProblems(page))
  for (const size of [PHONE_VIEWPORT, NARROWEST]) {
    await page.setViewportSize(size)
    await checkLayout(page, check, size)
  }
}

async function checkLayout(
  page: Page,
  check: Check,
  { width }: Size,
  { fontSize = DEFAULT_FONT_SIZE, isSpaced = false }: { fontSize?: number; isSpaced?: boolean } = {},
) {
  const breaks = isSpaced ? 'anywhere' : fontSize === DEFAULT_FONT_SIZE ? 'nowhere' : 'outside of bars'
  const what = `${width} px, font size ${fontSize} px${isSpaced ? ', spaced' : ''}: layout`
  await check(what, () => findLayoutProblems(page, { breaks }))
}

export async function checkScreen(page: Page, language: Language, { isOnDesk = false } = {}) {
  const check = createCheck(language)
  const checkSchemes = async ({ width }: Size) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect(page.locator('html')).toHaveCSS('color-scheme', colorScheme)
      await check(`${width} px, ${colorScheme}: rules`, () => findAxeViolations(page, colorScheme))
    }
  }

  await check('outline', () => findOutlineProblems(page, language))
  await showWhole(page, PHONE_VIEWPORT)
  await checkSchemes(PHONE_VIEWPORT)
  // In English only the words differ.
  if (language === 'fr') await check('the second checker', () => findCertainViolations(page))
  await check('targets', () => findTargetProblems(page))
  const setFontSize = await createFontSizeSetter(page)
  for (const size of [PHONE_VIEWPORT, NARROWEST]) {
    await page.setViewportSize(size)
    for (const fontSize of FONT_SIZES) {
      await setFontSize(fontSize)
      await checkLayout(page, check, size, { fontSize })
    }
    await setFontSize(DEFAULT_FONT_SIZE)
  }
  const resetSpacing = await applyTextSpacing(page)
  await checkLayout(page, check, NARROWEST, { isSpaced: true })
  await resetSpacing()
  await page.setViewportSize(ZOOMED)
  await checkLayout(page, check, ZOOMED)
  if (isOnDesk) {
    await page.setViewportSize(DESK)
    await checkSchemes(DESK)
    await checkLayout(page, check, DESK)
  }
  await page.setViewportSize(PHONE_VIEWPORT)
}

/** The bottom bar then covers nothing. */
async function showWhole(page: Page, { width, height }: Size) {
  const whole = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(height, whole) })
}

/** The second checker is certain of these violations, but they are intended. */
const INTENDED: { rule: string; within: string; because: string }[] = [
  {
    rule: 'aria_content_in_landmark',
    within: '[class*="_toasts_"], p[class*="_bar_"]',
    because: 'A toast or the offline bar belongs to no part of the page, and is announced from anywhere.',
  },
]

/** IBM's checker leaves other findings to a manual check. */
async function findCertainViolations(page: Page): Promise<string[]> {
  await loadChecker(page, 'ace')
  const found = await page.evaluate(`(async () => {
    const { results } = await new ace.Checker().check(document, ['IBM_Accessibility'])
    const isIntended = (ruleId, path) => {
      const element = document.evaluate(path, document).iterateNext()
      return ${JSON.stringify(INTENDED)}.some(({ rule, within }) => rule === ruleId && element?.closest(within))
    }
    return results
      .filter(({ value: [policy, outcome] }) => policy === 'VIOLATION' && outcome === 'FAIL')
      .filter(({ ruleId, path }) => !isIntended(ruleId, path.dom))
      .map(({ ruleId, message, path, snippet }) => ruleId + ' ' + path.dom + ': ' + message + ': ' + snippet)
  })()`)
  return found as string[]
}

const findOutlineProblems = (page: Page, language: Language): Promise<string[]> =>
  page.evaluate((expected) => {
    const { lang } = document.documentElement
    const find = (selector: string) =>
      [...document.querySelectorAll(selector)].filter(
        (element) =>
          element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true]'),
      )
    const isInDialog = find('dialog, [role=dialog]').length > 0
    const headings = find(isInDialog ? ':is(dialog, [role=dialog]) h2' : 'h1').length
    return [
      ...(lang === expected ? [] : [`The language is '${lang}'`]),
      ...(document.title.includes('Passerelle') ? [] : [`The title is '${document.title}'`]),
      ...(headings === 1 ? [] : [`The ${isInDialog ? 'dialog' : 'page'} has ${headings} headings`]),
    ]
  }, language)
