import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { appFolder } from '../scripts/build/build.ts'
import { chartOf, withInner } from '../scripts/statecharts/chart.ts'
import { machines } from '../scripts/statecharts/machines.ts'
import { violations } from './axe.ts'
import { expect, test } from './fixtures.ts'

// The page of `npm run storyboard`, with two pictures and one walk of its own: all of them take minutes, and are what other tests have shown.
test.use({ settings: { SANDBOX_APP: appFolder('told') } })

const PHONE = { width: 360, height: 740 }
const NARROWEST = { width: 320, height: 640 }

let folder = ''
let kept = ''
// Whoever waits for it by standing still does not see that the server closes a connection, and calls on it.
const makeInto = (into: string) =>
  promisify(execFile)(process.execPath, ['scripts/storyboard/storyboard.ts', '--page', '--into', into], {
    env: { ...process.env, STORYBOARD_KEPT: kept },
  })

test.beforeAll(async () => {
  folder = test.info().outputPath('storyboard')
  kept = test.info().outputPath('kept')
  mkdirSync(join(kept, 'pictures'), { recursive: true })
  for (const file of [
    'home-filled-phone-fr-light.jpg',
    'home-filled-desk-en-dark.jpg',
    'gone-phone-fr-light.jpg',
  ])
    writeFileSync(join(kept, 'pictures', file), PICTURE)
  writeFileSync(join(kept, 'walks.json'), JSON.stringify(WALKED))
  await makeInto(folder)
})

const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const steps = {
  events: ['xstate.done.actor.0.transfer.resuming', 'form.confirm'],
  values: ['resuming', 'editing', 'reserving'],
  steps: [
    [-1, -1, 0],
    [0, 0, 1],
    [1, 1, 2],
  ],
}
/** As the tests of the machines leave it. */
const WALKED = {
  testResults: [
    {
      assertionResults: [{ title: 'pays once', meta: { walks: [{ machine: 'transfer', ways: steps }] } }],
    },
  ],
}

/** From the disk, without a network. */
async function open(page: Page, machine: string) {
  await page.context().setOffline(true)
  await page.goto(`${pathToFileURL(join(folder, 'index.html'))}#${machine}`)
  await page.locator('.sheet').waitFor()
}

const card = (page: Page, state: string) => page.locator(`[data-state="${state}"]`)
const here = (page: Page) => page.locator('.beside h2').first()
const moves = (page: Page) => page.locator('.moves')

test('every state of every machine is a card on which all can be read', async ({ page }) => {
  await open(page, 'transfer')
  for (const machine of machines) {
    await page.getByRole('link', { name: machine.id, exact: true }).click()
    const [, ...states] = withInner(chartOf(machine).root)
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

test('a phone scrolls the chart and not the page, and it can be made larger and smaller', async ({
  page,
}) => {
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

test('an event leads where the machine says, by the guards that were chosen', async ({ page }) => {
  await open(page, 'transfer')
  await expect(here(page)).toHaveText('resuming · here now')
  await expect(page.getByText('As long as the device takes to read; the form is there.')).toBeVisible()
  await card(page, 'resuming').getByRole('button', { name: 'findOpenAttempt done [else]' }).click()
  await expect(here(page)).toHaveText('editing · here now')
  await moves(page).getByRole('button', { name: 'form.confirm → checkingForm' }).click()
  await expect(here(page)).toHaveText('reserving · here now')
  const happened = page.getByRole('list', { name: 'What happened' })
  await expect(happened).toContainText('form.confirm: reserving (through checkingForm)')
  await page.getByText('Guards that say yes').click()
  await page.getByRole('checkbox', { name: /^isDuplicate \(said no\)/ }).check()
  await expect(here(page)).toHaveText('askingWhetherAgain · here now')
  await page.getByRole('button', { name: 'One step back' }).click()
  await expect(here(page)).toHaveText('editing · here now')
  await expect(page.getByRole('figure').filter({ hasText: 'home-filled' }).first()).toBeVisible()
})

test('a state with others inside is folded, and its time passes by a press', async ({ page }) => {
  await open(page, 'transfer')
  const inside = card(page, 'confirmingCard.expected')
  await expect(inside).toBeVisible()
  await card(page, 'confirmingCard').getByRole('button', { name: 'Fold' }).click()
  await expect(inside).toBeHidden()
  await card(page, 'confirmingCard').getByRole('button', { name: 'Unfold' }).click()
  await page.getByRole('combobox', { name: 'The shortest way' }).selectOption('to confirmingCard.expected')
  for (const next = page.getByRole('button', { name: 'Next' }); await next.isEnabled(); ) await next.click()
  await expect(here(page)).toHaveText('confirmingCard.expected · here now')
  await moves(page)
    .getByRole('button', { name: 'after bankPatience (45 s) → confirmingCard.overdue' })
    .click()
  await expect(here(page)).toHaveText('confirmingCard.overdue · here now')
})

test('what the app does in another tab lights up, is kept without what is of a person, and can be played', async ({
  page: app,
  context,
  server,
}) => {
  // At the address of the app: a browser lets no other one hear what its tabs say.
  await context.route('**/storyboard/*', (route) => {
    const path = join(folder, new URL(route.request().url()).pathname.replace('/storyboard/', ''))
    return route.fulfill({ path })
  })
  await server.registerPhone({ name: 'Awa', phone: '+33612345678' })
  await app.goto('/')
  await app.getByRole('tab', { name: 'Téléphone' }).click()
  const page = await context.newPage()
  await page.goto(`${server.origin}/storyboard/index.html#phoneOtp`)
  await expect(here(page)).toHaveText('editing · here now')
  await app.getByRole('textbox', { name: 'Numéro de téléphone' }).fill('+33 6 12 34 56 78')
  await app.getByRole('textbox', { name: 'Numéro de téléphone' }).press('Enter')
  await expect(here(page)).toHaveText('enteringCode · here now')
  await expect(page.getByRole('list', { name: 'The last events' })).toContainText('enteringCode')
  await page.getByText('In enteringCode, and what it knows').click()
  await expect(page.locator('.live pre')).toContainText('characters')
  await expect(page.locator('.live pre')).not.toContainText(/12 34|1234/)

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Keep what happened as a file' }).click()
  const report = await (await downloading).path()
  expect(readFileSync(report, 'utf8')).not.toMatch(/12 ?34|345678/)
  const file = page.getByLabel('Open what somebody kept')
  await file.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
  await expect(page.getByRole('alert')).toHaveText('Nothing that the app wrote down is in this file.')
  await file.setInputFiles(report)
  await expect(page.getByRole('alert')).toBeHidden()
  await page.getByRole('button', { name: /^Play phoneOtp \d+, \d+ steps$/ }).click()
  await expect(here(page)).toHaveText('enteringCode · here now')
  for (const before = page.getByRole('button', { name: 'Before' }); await before.isEnabled(); )
    await before.click()
  await expect(here(page)).toHaveText('editing · here now')
})

test('each picture is the one of the window, the language and the scheme that were chosen', async ({
  page,
}) => {
  await open(page, 'transfer')
  await card(page, 'editing').getByRole('button', { name: 'editing' }).click()
  const picture = page.getByRole('img', { name: 'The screen home-filled', exact: true })
  const seen = page.getByRole('figure').filter({ hasText: /home-filled$/ })
  await expect(picture).toHaveAttribute('src', 'pictures/home-filled-phone-fr-light.jpg')
  await picture.scrollIntoViewIfNeeded()
  expect(
    await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBe(1)
  await page.getByRole('combobox', { name: 'language' }).selectOption('en')
  await expect(seen).toContainText('Not taken yet: npm run storyboard -- home-filled')
  await page.getByRole('combobox', { name: 'window' }).selectOption('desk')
  await page.getByRole('combobox', { name: 'scheme' }).selectOption('dark')
  await expect(picture).toHaveAttribute('src', 'pictures/home-filled-desk-en-dark.jpg')
  expect(existsSync(join(folder, 'pictures', 'gone-phone-fr-light.jpg')), 'of a screen that is gone').toBe(
    false,
  )
})

test('a path of the tests is found by what happened on it, and played', async ({ page }) => {
  await open(page, 'transfer')
  await card(page, 'reserving').getByRole('button', { name: 'reserving' }).click()
  const paths = page.getByRole('combobox', { name: 'A path of the tests' })
  await expect(paths).toContainText('1 paths of the tests end in reserving')
  await page.getByRole('searchbox').fill('ReCord')
  await expect(paths).toContainText('0 paths')
  await page.getByRole('searchbox').fill('findopen')
  await paths.selectOption('the start › findOpenAttempt done › form.confirm')
  const played = page.getByRole('region', { name: 'Playing “pays once”' })
  await expect(played).toContainText('Step 1 of 3')
  for (const next = played.getByRole('button', { name: 'Next' }); await next.isEnabled(); ) await next.click()
  await expect(here(page)).toHaveText('reserving · here now')
})

test('a folder that holds something else stays as it is', async () => {
  const mine = test.info().outputPath('mine')
  mkdirSync(mine)
  writeFileSync(join(mine, 'letter.txt'), 'Dear Awa')
  await expect(makeInto(mine)).rejects.toThrow('holds something else than a storyboard')
  expect(readFileSync(join(mine, 'letter.txt'), 'utf8')).toBe('Dear Awa')
})

test('the keyboard goes on at the state that a press led to', async ({ page }) => {
  await open(page, 'transfer')
  await card(page, 'resuming').getByRole('button', { name: 'findOpenAttempt done [else]' }).focus()
  await page.keyboard.press('Enter')
  await expect(here(page)).toHaveText('editing · here now')
  await expect(here(page)).toBeFocused()
  // Whoever folds a card goes on with it.
  const fold = card(page, 'confirmingCard').getByRole('button', { name: 'Fold confirmingCard' })
  await fold.focus()
  await page.keyboard.press('Enter')
  await expect(card(page, 'confirmingCard').getByRole('button', { name: 'Unfold' })).toBeFocused()
})

test('who makes the chart larger, or folds a card, stays where they look', async ({ page }) => {
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
  test(`the page breaks no rule of accessibility, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await open(page, 'transfer')
    await card(page, 'resuming').getByRole('button', { name: 'findOpenAttempt done [else]' }).click()
    // What can be pressed on a card is in the list 'What can happen now' too, as large as it must be (WCAG 2.2, 2.5.8: equivalent).
    const broken = (await violations(page, 'light')).filter(
      (one) => !/^target-size .*\.(stays|lines)/.test(one),
    )
    expect(broken).toEqual([])
    expect(
      await page
        .locator('.moves button')
        .evaluateAll((moves) => moves.every(({ clientHeight }) => clientHeight >= 24)),
    ).toBe(true)
    // The chart and the row of pictures scroll for themselves.
    await page.setViewportSize(NARROWEST)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      NARROWEST.width,
    )
  })
