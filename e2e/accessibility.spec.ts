import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { CRASH_OR_BROKEN_CALLS, expect, test } from './fixtures.ts'
import { layoutProblems, lettersOf, looseText, targetProblems } from './layout.ts'
import { goTo, SCREENS, type Screen, type Stage, screenNamed, stageOf } from './screens.ts'
import { cardFrame, holdBack } from './steps.ts'

// Some of these screens are what a refused or a broken call leads to; Chromium and Firestore write a line for each.
test.use({
  expectedErrors: [CRASH_OR_BROKEN_CALLS],
})

const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const PHONE = { width: 360, height: 740 }
const NARROWEST = { width: 320, height: 640 }
const DESK = { width: 1280, height: 800 }
/** A desk at 200 percent. */
const ZOOMED = { width: 640, height: 400 }

/** In pixels: as browsers come, and 150 and 200 percent of that. */
const LETTERS = 16
const LARGER_LETTERS = [24, 32]

/** The screens whose layout on a desk is another one. */
const ON_A_DESK = ['sign-in', 'home-filled', 'home-activity', 'profile', 'identity-preview', 'plans']

for (const language of ['fr', 'en'] as const)
  for (const screen of SCREENS)
    test(`${screen.name} is open to everybody (${language})`, async ({ page, server }) => {
      const stage = stageOf(page, server, language)
      await page.setViewportSize(PHONE)
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await goTo(screen, stage)
      await expectOutline(screen, stage)
      await showWhole(page, PHONE)

      for (const colorScheme of ['light', 'dark'] as const) {
        await turn(screen, stage, colorScheme)
        expect.soft(await violations(page, colorScheme), colorScheme).toEqual([])
      }
      // In the other language there are other words, and nothing else.
      if (language === 'fr') expect.soft(await secondOpinion(page), 'the second checker').toEqual([])
      expect.soft(await targetProblems(page), 'targets').toEqual([])
      for (const size of [PHONE, NARROWEST, ZOOMED]) await expectWhole(page, size)
      const setLetters = await lettersOf(page)
      for (const letters of LARGER_LETTERS)
        for (const size of [PHONE, NARROWEST])
          await expectWhole(page, size, { change: () => setLetters(letters), letters })
      await setLetters(LETTERS)
      await looseText(page)
      await expectWhole(page, NARROWEST, { isLoose: true })
    })

test.describe('on a desk', () => {
  for (const language of ['fr', 'en'] as const)
    for (const screen of SCREENS.filter(({ name }) => ON_A_DESK.includes(name)))
      test(`${screen.name} is open to everybody on a desk (${language})`, async ({ page, server }) => {
        const stage = stageOf(page, server, language)
        await page.setViewportSize(DESK)
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
        await goTo(screen, stage)
        for (const colorScheme of ['light', 'dark'] as const) {
          await turn(screen, stage, colorScheme)
          expect.soft(await violations(page, colorScheme), colorScheme).toEqual([])
        }
        await expectWhole(page, DESK)
      })
})

test('a tap counts even when the field that it leaves then shows what is wrong', async ({ page, server }) => {
  const stage = stageOf(page, server, 'fr')
  await goTo(screenNamed('home-empty'), stage)
  await page.getByLabel(stage.words.phone).fill('+33 6 12 34 56 78')
  const confirm = page.getByLabel(stage.words.confirmPhone)
  await confirm.click()
  await expect(confirm).toBeChecked()
})

test('a tap counts even when what is known of the number appears meanwhile', async ({ page, server }) => {
  const stage = stageOf(page, server, 'fr')
  const code = '**/assets/RecipientCheck-*.js'
  const release = await holdBack(page, code)
  await goTo(screenNamed('home-empty'), stage)
  await page.getByLabel(stage.words.phone).fill('+224 620 00 00 00')
  const confirm = page.getByLabel(stage.words.confirmPhone)
  await confirm.hover()
  await page.mouse.down()
  const come = page.waitForResponse(code)
  release()
  await (await come).finished()
  // Long enough for it to be looked up and shown.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  await page.mouse.up()
  await expect(confirm).toBeChecked()
  await expect(page.getByText('Premier envoi à ce numéro.')).toBeVisible()
})

test('a phone that turns dark takes the card form along, and keeps what is typed', async ({
  page,
  server,
}) => {
  const stage = stageOf(page, server, 'fr')
  await page.emulateMedia({ colorScheme: 'light' })
  await goTo(screenNamed('payment'), stage)
  const form = cardFrame(page).locator('html')
  const number = cardFrame(page).getByLabel(stage.words.cardNumber)
  await number.fill('4242 42')
  await expect(form).toHaveCSS('color-scheme', 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(form).toHaveCSS('color-scheme', 'dark')
  await expect(number).toHaveValue('4242 42')
})

async function turn(screen: Screen, stage: Stage, colorScheme: 'light' | 'dark') {
  await stage.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await expect(stage.page.locator('html')).toHaveCSS('color-scheme', colorScheme)
  await expect(screen.shows(stage)).toBeVisible()
}

/** A window as high as the page, so that nothing lies under the bar at the bottom. */
async function showWhole(page: Page, { width, height }: { width: number; height: number }) {
  const whole = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(height, whole) })
}

/** One line for each element that breaks a rule, frames included. */
async function violations(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  // Its parts in the frames, some of them a provider's, answer the one in the page.
  const load = `if (!window.axe) { ${axe.source}; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] }) }`
  for (const frame of page.frames()) await frame.evaluate(load)
  // Between the schemes there are other colours, and nothing else.
  const rules: axe.RunOnly =
    colorScheme === 'light' ? { type: 'tag', values: TAGS } : { type: 'rule', values: COLOUR_RULES }
  const found = await page.evaluate(
    async (runOnly) => (await window.axe.run({ runOnly, resultTypes: ['violations'] })).violations,
    rules,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  )
}

const SECOND_CHECKER = readFileSync(
  fileURLToPath(import.meta.resolve('accessibility-checker-engine')),
  'utf8',
)

/** What the second checker holds for certain and is meant to be so: a rule, where it is broken, and why. */
const MEANT: { rule: string; within: string; because: string }[] = [
  {
    rule: 'aria_content_in_landmark',
    within: '[class*="_toasts_"], p[class*="_bar_"]',
    because:
      'A short message, or that there is no network, belongs to no part of the page, and is told from wherever it stands.',
  },
]

/** What IBM's checker is certain of, in the page itself: one line for each element. What it only asks to be looked at is left out. */
async function secondOpinion(page: Page): Promise<string[]> {
  const found = await page.evaluate(`(async () => {
    ${SECOND_CHECKER}
    const { results } = await new ace.Checker().check(document, ['IBM_Accessibility'])
    const isMeant = (ruleId, path) => {
      const element = document.evaluate(path, document).iterateNext()
      return ${JSON.stringify(MEANT)}.some(({ rule, within }) => rule === ruleId && element?.closest(within))
    }
    return results
      .filter(({ value: [policy, outcome] }) => policy === 'VIOLATION' && outcome === 'FAIL')
      .filter(({ ruleId, path }) => !isMeant(ruleId, path.dom))
      .map(({ ruleId, message, path, snippet }) => ruleId + ' ' + path.dom + ': ' + message + ': ' + snippet)
  })()`)
  return found as string[]
}

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** The page's language, and one heading that says where a person is: the page's own, or that of the dialog over it. */
async function expectOutline(screen: Screen, stage: Stage) {
  const { page, language } = stage
  await expect.soft(page.locator('html')).toHaveAttribute('lang', language)
  await expect.soft(page).toHaveTitle(/Passerelle/)
  const dialog = page.getByRole('dialog')
  const own =
    (await dialog.count()) > 0 ? dialog.getByRole('heading', { level: 2 }) : page.locator('h1:visible')
  await expect.soft(screen.heading?.(stage) ?? own).toHaveCount(1)
}

async function expectWhole(
  page: Page,
  size: { width: number; height: number },
  { isLoose = false, letters = LETTERS, change = async () => {} } = {},
) {
  await page.setViewportSize(size)
  await change()
  const breaks = isLoose ? 'anywhere' : letters === LETTERS ? 'nowhere' : 'outside of bars'
  const about = `${size.width} px, letters of ${letters} px${isLoose ? ', loose text' : ''}`
  expect.soft(await layoutProblems(page, { breaks }), about).toEqual([])
}
