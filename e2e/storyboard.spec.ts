import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { getAppFolder } from '../scripts/build/build.ts'
import { buildChart, flattenStates } from '../scripts/statecharts/chart.ts'
import { machines } from '../scripts/statecharts/machines.ts'
import { findAxeViolations } from './axe.ts'
import { CRASH_OR_BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'

// One walk and one text are enough: collecting all takes a minute, and other tests cover them.
test.use({
  settings: { SANDBOX_APP: getAppFolder('inspected') },
  // Some scenes show a crash.
  expectedErrors: [CRASH_OR_BROKEN_CALL_ERRORS],
})

const PHONE = { width: 360, height: 740 }
const NARROWEST = { width: 320, height: 640 }

let folder = ''
let kept = ''
// Asynchronous, because a blocked process would not notice that the server has closed a connection.
const buildStoryboard = (into: string) =>
  promisify(execFile)(process.execPath, ['scripts/storyboard/storyboard.ts', '--page', '--into', into], {
    env: { ...process.env, STORYBOARD_KEPT: kept },
  })

test.beforeAll(async () => {
  folder = test.info().outputPath('storyboard')
  kept = test.info().outputPath('kept')
  mkdirSync(kept)
  writeFileSync(join(kept, 'walks.json'), JSON.stringify(WALKED))
  writeFileSync(join(kept, 'texts.json'), JSON.stringify(TEXTS))
  await buildStoryboard(folder)
})

const TEXTS = {
  'payment-declined': { fr: 'Le solde de la carte est insuffisant.', en: 'Insufficient funds.' },
}

const steps = {
  events: ['xstate.done.actor.0.transfer.resuming', 'form.confirm'],
  values: ['resuming', 'editing', 'reserving'],
  steps: [
    [-1, -1, 0],
    [0, 0, 1],
    [1, 1, 2],
  ],
}
/** Has the format of the machine tests' report. */
const WALKED = {
  testResults: [
    {
      assertionResults: [{ title: 'pays once', meta: { walks: [{ machine: 'transfer', ways: steps }] } }],
    },
  ],
}

/** Opens a `file:` URL without a network. */
async function open(page: Page, machine: string) {
  await page.context().setOffline(true)
  await page.goto(`${pathToFileURL(join(folder, 'index.html'))}#${machine}`)
  await page.locator('.sheet').waitFor()
}

const card = (page: Page, state: string) => page.locator(`[data-state="${state}"]`)
const here = (page: Page) => page.locator('.beside h2').first()
const moves = (page: Page) => page.locator('.moves')
const app = (page: Page, scene: string) => page.frameLocator(`iframe[title="The scene ${scene}"]`)

test('every state has a card with uncut text @desk @all', async ({ page }) => {
  await open(page, 'transfer')
  for (const machine of machines) {
    // By its text: its name also says whether the machine runs in the shown scene.
    await page
      .locator('nav a')
      .filter({ hasText: new RegExp(`^${machine.id}$`) })
      .click()
    const [, ...states] = flattenStates(buildChart(machine).root)
    for (const { id, name } of states)
      await expect(card(page, id).getByRole('button', { name, exact: true }).first()).toBeVisible()
    const cut = await page.locator('.card:not(.compound, .parallel)').evaluateAll((cards) =>
      cards
        .filter(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) => {
          return scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1
        })
        .map((element) => element.getAttribute('data-state')),
    )
    expect(cut, machine.id).toEqual([])
  }
})

test('on a phone only the chart scrolls, and zooms @desk @all', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await open(page, 'transfer')
  const chart = page.getByRole('region', { name: 'Chart' })
  expect(await chart.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  const zoom = page.getByRole('region', { name: 'Zoom' })
  await expect(zoom.getByText('80 %')).toBeVisible()
  await page.getByRole('button', { name: 'Larger' }).click()
  await expect(zoom.getByText('100 %')).toBeVisible()
  await page.getByRole('button', { name: 'Fit the width' }).click()
  expect(await chart.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)
})

test('an event leads to the machine’s next state with the chosen guards @desk @all', async ({ page }) => {
  await open(page, 'transfer')
  await expect(here(page)).toHaveText('resuming · current state')
  await expect(page.getByText('Lasts while the device reads its data; the form is shown.')).toBeVisible()
  await card(page, 'resuming').getByRole('button', { name: 'findOpenAttempt done [else]' }).click()
  await expect(here(page)).toHaveText('editing · current state')
  await moves(page).getByRole('button', { name: 'form.confirm → checkingForm' }).click()
  await expect(here(page)).toHaveText('reserving · current state')
  const happened = page.getByRole('list', { name: 'Steps so far' })
  await expect(happened).toContainText('form.confirm: reserving (through checkingForm)')
  await page.getByText('Guards that return true').click()
  await page.getByRole('checkbox', { name: /^isDuplicate \(returned false\)/ }).check()
  await expect(here(page)).toHaveText('confirmingDuplicate · current state')
  await page.getByRole('button', { name: 'Step back' }).click()
  await expect(here(page)).toHaveText('editing · current state')
})

test('a compound state folds, and pressing a delay lets it elapse @desk @all', async ({ page }) => {
  await open(page, 'transfer')
  const inside = card(page, 'confirmingCard.expected')
  await expect(inside).toBeVisible()
  await card(page, 'confirmingCard').getByRole('button', { name: 'Fold' }).click()
  await expect(inside).toBeHidden()
  await card(page, 'confirmingCard').getByRole('button', { name: 'Unfold' }).click()
  await page.getByRole('combobox', { name: 'Shortest path' }).selectOption('to confirmingCard.expected')
  for (const next = page.getByRole('button', { name: 'Next' }); await next.isEnabled(); ) await next.click()
  await expect(here(page)).toHaveText('confirmingCard.expected · current state')
  await moves(page)
    .getByRole('button', { name: 'after slowBankTimeout (45 s) → confirmingCard.overdue' })
    .click()
  await expect(here(page)).toHaveText('confirmingCard.overdue · current state')
})

test('the storyboard records another tab’s steps without personal data @desk @all', async ({
  page: app,
  context,
  server,
}) => {
  // Serves the storyboard at the app's origin, because a BroadcastChannel does not reach other origins.
  await context.route('**/storyboard/*', (route) => {
    const path = join(folder, new URL(route.request().url()).pathname.replace('/storyboard/', ''))
    return route.fulfill({ path })
  })
  await server.registerPhone({ name: 'Awa', phone: '+33612345678' })
  await app.goto('/')
  await app.getByRole('tab', { name: 'Téléphone' }).click()
  const page = await context.newPage()
  await page.goto(`${server.origin}/storyboard/index.html#phoneOtp`)
  await expect(here(page)).toHaveText('editing · current state')
  await app.getByRole('textbox', { name: 'Numéro de téléphone' }).fill('+33 6 12 34 56 78')
  await app.getByRole('textbox', { name: 'Numéro de téléphone' }).press('Enter')
  await expect(here(page)).toHaveText('enteringCode · current state')
  const events = page.getByRole('list', { name: /^Last events/ }).filter({ hasText: 'enteringCode' })
  await expect(events).toHaveCount(1)
  await page.getByText('In enteringCode, and its context').click()
  await expect(page.locator('.live details[open] pre')).toContainText('characters')
  await expect(page.locator('.live details[open] pre')).not.toContainText(/12 34|1234/)

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save a recording' }).click()
  const report = await (await downloading).path()
  expect(readFileSync(report, 'utf8')).not.toMatch(/12 ?34|345678/)
  const file = page.getByLabel('Open a recording')
  await file.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
  await expect(page.getByRole('alert')).toHaveText('This file is not a recording of the app.')
  await file.setInputFiles(report)
  await expect(page.getByRole('alert')).toBeHidden()
  await page.getByRole('button', { name: /^Play phoneOtp \d+, \d+ steps$/ }).click()
  await expect(here(page)).toHaveText('enteringCode · current state')
  for (const before = page.getByRole('button', { name: 'Previous' }); await before.isEnabled(); )
    await before.click()
  await expect(here(page)).toHaveText('editing · current state')
})

test('the search finds a text’s scene, and its URL reopens it @desk', async ({ page, context }) => {
  await open(page, 'session')
  await page.getByRole('searchbox', { name: 'Find' }).fill('solde de la carte')
  await page.getByRole('link', { name: 'text payment-declined, fr' }).click()
  await expect(app(page, 'payment-declined').getByText('Le solde de la carte est insuffisant.')).toBeVisible()
  await expect(here(page)).toHaveText('editing · current state')
  await page.getByRole('combobox', { name: 'language' }).selectOption('en')
  await page.getByRole('combobox', { name: 'scheme' }).selectOption('dark')
  await page.getByRole('combobox', { name: 'text' }).selectOption('200 %')
  const address = page.url()
  expect(address).toMatch(/#transfer\?.*scene=payment-declined&language=en&scheme=dark&text=200$/)

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the address' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)

  const other = await context.newPage()
  await other.goto(address)
  const html = app(other, 'payment-declined').locator('html')
  await expect(html).toHaveAttribute('lang', 'en')
  await expect(html).toHaveCSS('color-scheme', 'dark')
  await expect(html).toHaveCSS('font-size', '32px')
})

test('two builds are compared from the disk @desk @all', async ({ page, context }) => {
  const previous = test.info().outputPath('previous')
  cpSync(folder, previous, { recursive: true })
  for (const file of ['storyboard.js', 'scene.js'].map((name) => join(previous, name)))
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll(
        /Insufficient funds\.|The card has insufficient funds\./g,
        'No funds left.',
      ),
    )
  await open(page, 'transfer')
  await page.getByText('Compare', { exact: true }).click()
  await page.getByLabel('Folder or address of another storyboard').fill(pathToFileURL(previous).href)
  await page.getByRole('button', { name: 'Compare with it' }).click()
  await expect(page.getByRole('heading', { name: 'Scenes that differ: 1' })).toBeVisible()
  await page.getByRole('link', { name: 'payment-declined' }).click()
  await expect(app(page, 'payment-declined before').getByText('No funds left.')).toBeVisible()
  await expect(app(page, 'payment-declined now').getByText('The card has insufficient funds.')).toBeVisible()
  await expect(page.getByRole('deletion')).toHaveText('No funds left.')

  const other = await context.newPage()
  await other.goto(page.url())
  await expect(app(other, 'payment-declined before').getByText('No funds left.')).toBeVisible()
})

test('the chart follows the app until another state is selected @desk', async ({ page }) => {
  await open(page, 'transfer?scene=payment-declined')
  const scene = app(page, 'payment-declined')
  await expect(scene.locator('html')).toHaveAttribute('data-scene', 'shown')
  // A click would not scroll the page to the docked button.
  await scene.getByRole('button', { name: /^Payer/ }).press('Enter')
  await expect(here(page)).toHaveText('reserving · current state')
  await card(page, 'confirmingCard.expected').getByRole('button', { name: 'expected' }).first().click()
  await page.getByText('reserving', { exact: true }).first().waitFor()
})

test('a recorded path is found by its events and replayed @desk @all', async ({ page }) => {
  await open(page, 'transfer')
  await card(page, 'reserving').getByRole('button', { name: 'reserving' }).click()
  const paths = page.getByRole('combobox', { name: 'Path of the tests' })
  await expect(paths).toContainText('Paths of the tests that end in reserving: 1')
  await page.locator('section input[type=search]').fill('ReCord')
  await expect(paths).toContainText('Paths of the tests that end in reserving: 0')
  await page.locator('section input[type=search]').fill('findopen')
  await paths.selectOption('the start › findOpenAttempt done › form.confirm')
  const played = page.getByRole('region', { name: 'Recording “pays once”' })
  await expect(played).toContainText('Step 1 of 3')
  for (const next = played.getByRole('button', { name: 'Next' }); await next.isEnabled(); ) await next.click()
  await expect(here(page)).toHaveText('reserving · current state')
})

test('the storyboard script refuses a folder with other content @desk @all', async () => {
  const mine = test.info().outputPath('mine')
  mkdirSync(mine)
  writeFileSync(join(mine, 'letter.txt'), 'Dear Awa')
  await expect(buildStoryboard(mine)).rejects.toThrow('contains other files than a storyboard')
  expect(readFileSync(join(mine, 'letter.txt'), 'utf8')).toBe('Dear Awa')
})

test('the focus follows an event, and stays on folded cards @desk @all', async ({ page }) => {
  await open(page, 'transfer')
  await card(page, 'resuming').getByRole('button', { name: 'findOpenAttempt done [else]' }).focus()
  await page.keyboard.press('Enter')
  await expect(here(page)).toHaveText('editing · current state')
  await expect(here(page)).toBeFocused()
  const fold = card(page, 'confirmingCard').getByRole('button', { name: 'Fold confirmingCard' })
  await fold.focus()
  await page.keyboard.press('Enter')
  await expect(card(page, 'confirmingCard').getByRole('button', { name: 'Unfold' })).toBeFocused()
})

test('zooming the chart or folding a card keeps the scroll position @desk @all', async ({ page }) => {
  await open(page, 'transfer')
  const chart = page.getByRole('region', { name: 'Chart', exact: true })
  const receipt = card(page, 'receipt')
  await receipt.scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'Larger' }).click()
  await expect(receipt).toBeInViewport()
  const zoomed = await page.getByRole('region', { name: 'Zoom' }).textContent()
  const top = await chart.evaluate(({ scrollTop }) => scrollTop)
  expect(top).toBeGreaterThan(0)
  await card(page, 'confirmingCard')
    .getByRole('button', { name: 'Fold' })
    .evaluate((button) => (button as HTMLElement).click())
  await expect(card(page, 'confirmingCard.expected')).toBeHidden()
  expect(await page.getByRole('region', { name: 'Zoom' }).textContent()).toBe(zoomed)
  expect(await chart.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`the storyboard is accessible in the ${colorScheme} color scheme @desk @all`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await open(page, 'transfer')
    await card(page, 'resuming').getByRole('button', { name: 'findOpenAttempt done [else]' }).click()
    await page.locator('iframe').evaluateAll((frames) => frames.forEach((frame) => void frame.remove()))
    // Buttons on a card are also in the list 'Possible events', with the required size (WCAG 2.2, 2.5.8:
    // equivalent).
    const broken = (await findAxeViolations(page, 'light')).filter(
      (one) => !/^target-size .*\.(stays|lines)/.test(one),
    )
    expect(broken).toEqual([])
    expect(
      await page
        .locator('.moves button')
        .evaluateAll((moves) => moves.every(({ clientHeight }) => clientHeight >= 24)),
    ).toBe(true)
    // The chart and the row of choices have their own scroll bars.
    await page.setViewportSize(NARROWEST)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      NARROWEST.width,
    )
  })
