import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { appFolder } from '../scripts/build/build.ts'
import { violations } from './axe.ts'
import { CRASH_OR_BROKEN_CALLS, expect, test } from './fixtures.ts'
import { layoutProblems, lettersOf, looseText, targetProblems } from './layout.ts'
import { goTo, type Stage, stageOf } from './screens/screen.ts'
import { SCREENS, type PlacedScreen as Screen, screenNamed } from './screens.ts'
import { holdBack } from './steps/faults.ts'
import { expectStanding, hearStates } from './steps/standing.ts'
import { cardFrame } from './steps/transfer.ts'
import { speakElsewhere } from './steps/waysIn.ts'
import { words } from './words.ts'

// Some of these screens are what a refused or a broken call leads to; Chromium and Firestore write a line for each.
test.use({
  expectedErrors: [CRASH_OR_BROKEN_CALLS],
  // The app itself says where its machines are.
  settings: { SANDBOX_APP: appFolder('told') },
})

interface Size {
  width: number
  height: number
}

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

for (const screen of SCREENS)
  test(`${screen.name} is open to everybody @spec-screens`, async ({ page, server }) => {
    const seen = stageOf(page, server, 'fr')
    await hearStates(page)
    await reachOnPhone(screen, seen)
    await expectStanding(page, screen)
    if (screen.isBrief) return expectBrieflyOpen(screen, seen)
    await expectOpen(screen, seen)
    const alsoSeen = stageOf(page, server, 'en')
    if (screen.isSaidOnce) await reachOnPhone(screen, alsoSeen)
    else await speakElsewhere(page, 'en')
    await expectOpen(screen, alsoSeen)
  })

async function reachOnPhone(screen: Screen, stage: Stage) {
  await stage.page.context().setOffline(false)
  await stage.page.setViewportSize(PHONE)
  await stage.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await goTo(screen, stage)
}

/** What differs from the screen before it: a word, a sign that something goes on, what can't be pressed. */
async function expectBrieflyOpen(screen: Screen, { page }: Stage) {
  await showWhole(page, PHONE)
  expect.soft(await violations(page, 'light'), 'rules').toEqual([])
  for (const size of [PHONE, NARROWEST]) {
    await page.setViewportSize(size)
    expect
      .soft(await layoutProblems(page, { breaks: 'nowhere' }), `${screen.name} at ${size.width} px`)
      .toEqual([])
  }
}

/** Every check of a screen in one language, in all its windows. */
async function expectOpen(screen: Screen, stage: Stage) {
  const { page, language } = stage
  const check = (what: string, found: () => Promise<string[]>) =>
    test.step(`${language}, ${what}`, async () => expect.soft(await found(), what).toEqual([]))
  const checkWhole = (size: Size, { isLoose = false, letters = LETTERS, change = async () => {} } = {}) =>
    check(`${size.width} px, letters of ${letters} px${isLoose ? ', loose text' : ''}: whole`, async () => {
      await page.setViewportSize(size)
      await change()
      const breaks = isLoose ? 'anywhere' : letters === LETTERS ? 'nowhere' : 'outside of bars'
      return layoutProblems(page, { breaks })
    })
  const checkSchemes = async ({ width }: Size) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await turn(screen, stage, colorScheme)
      await check(`${width} px, ${colorScheme}: rules`, () => violations(page, colorScheme))
    }
  }

  await turn(screen, stage, 'light')
  await expectOutline(screen, stage)
  await showWhole(page, PHONE)
  await checkSchemes(PHONE)
  // In the other language there are other words, and nothing else.
  if (language === 'fr') await check('the second checker', () => secondOpinion(page))
  await check('targets', () => targetProblems(page))
  for (const size of [PHONE, NARROWEST, ZOOMED]) await checkWhole(size)
  const setLetters = await lettersOf(page)
  for (const letters of LARGER_LETTERS)
    for (const size of [PHONE, NARROWEST])
      await checkWhole(size, { change: () => setLetters(letters), letters })
  await setLetters(LETTERS)
  const tighten = await looseText(page)
  await checkWhole(NARROWEST, { isLoose: true })
  await tighten()
  if (ON_A_DESK.includes(screen.name)) {
    await page.setViewportSize(DESK)
    await checkSchemes(DESK)
    await checkWhole(DESK)
  }
  await page.setViewportSize(PHONE)
}

test('a tap counts even when the field that it leaves then shows what is wrong', async ({ page, server }) => {
  const stage = stageOf(page, server, 'fr')
  await goTo(screenNamed('home-empty'), stage)
  await page.getByLabel(words.phone).fill('+33 6 12 34 56 78')
  const confirm = page.getByLabel(words.confirmPhone)
  await confirm.click()
  await expect(confirm).toBeChecked()
})

test('a tap counts even when what is known of the number appears meanwhile', async ({ page, server }) => {
  const stage = stageOf(page, server, 'fr')
  const code = '**/assets/whoReceives-*.js'
  const release = await holdBack(page, code)
  await goTo(screenNamed('home-empty'), stage)
  await page.getByLabel(words.phone).fill('+224 620 00 00 00')
  const confirm = page.getByLabel(words.confirmPhone)
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
  const number = cardFrame(page).getByLabel(words.cardNumber)
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
async function showWhole(page: Page, { width, height }: Size) {
  const whole = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(height, whole) })
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
