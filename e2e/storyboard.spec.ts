import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import type { Mermaid } from 'mermaid'
import { buildChart, flattenStates } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import { parseMermaidId, renderMermaid, toMermaidId } from '../statecharts/mermaid.ts'
import { findAxeViolations } from './axe.ts'
import { CRASH_OR_BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'

// Some scenes show a crash.
test.use({ expectedErrors: [CRASH_OR_BROKEN_CALL_ERRORS] })

const PHONE = { width: 360, height: 740 }
const NARROWEST = { width: 320, height: 640 }

let folder = ''
let kept = ''
// Asynchronous, because a blocked process would not notice that the server has closed a connection.
const buildStoryboard = (into: string) =>
  promisify(execFile)(process.execPath, ['scripts/storyboard/storyboard.ts', '--page', '--into', into], {
    env: { ...process.env, STORYBOARD_KEPT: kept },
  })

// Each worker would build its own.
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  folder = test.info().outputPath('storyboard')
  kept = test.info().outputPath('kept')
  mkdirSync(kept)
  writeFileSync(join(kept, 'texts.json'), JSON.stringify(TEXTS))
  await buildStoryboard(folder)
})

/** Collecting all takes a minute. */
const TEXTS = {
  'payment-declined': { fr: 'Le solde de la carte est insuffisant.', en: 'Insufficient funds.' },
}

/** Opens a `file:` URL without a network. */
async function open(page: Page, machine: string) {
  await page.context().setOffline(true)
  await page.goto(`${pathToFileURL(join(folder, 'index.html'))}#${machine}`)
  await page.locator('.sheet').waitFor()
}

const card = (page: Page, state: string) => page.locator(`[data-state="${state}"]`)
const here = (page: Page) => page.locator('.beside h2').first()
const app = (page: Page, scene: string) => page.frameLocator(`iframe[title="The scene ${scene}"]`)

test('every state has a card with uncut text @desk @all', async ({ page }) => {
  await open(page, 'transfer')
  for (const machine of machines) {
    await page.getByRole('link', { name: machine.id, exact: true }).click()
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

test('on a phone the app comes first, and only the chart scrolls @desk @all', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await open(page, 'transfer')
  const chart = page.getByRole('region', { name: 'Chart' })
  expect((await page.locator('iframe').boundingBox())?.y).toBeLessThan((await chart.boundingBox())?.y ?? 0)
  expect(await chart.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
})

test('an event opens its scene, one click from the other language @desk', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await open(page, 'transfer')
  const event = card(page, 'confirmingCard').getByRole('button', { name: 'confirmCard done [isDeclined]' })
  await event.press('Enter')
  const { text, other } = { text: TEXTS['payment-declined'].fr, other: 'The card has insufficient funds.' }
  const declined = app(page, 'payment-declined')
  await expect(declined.getByText(text)).toBeVisible()
  await expect(here(page)).toHaveText('editing · current state')
  await expect(event).toBeFocused()
  const { y = 0, height = 0 } = (await declined.getByText(text).boundingBox()) ?? {}
  expect(y + height).toBeLessThan(800)
  await page.getByRole('button', { name: 'en', exact: true }).click()
  await expect(declined.getByText(other)).toBeVisible()
  const group = page.locator('optgroup', { has: page.locator('option:checked') })
  await expect(group).toHaveAttribute('label', /isDeclined\]: failed insufficient_funds$/)
})

test('the search finds a text’s scene, and its URL reopens it @desk', async ({ page, context }) => {
  await open(page, 'session')
  await page.getByRole('searchbox', { name: 'Find' }).fill('solde de la carte')
  await page.getByRole('link', { name: 'text payment-declined, fr' }).click()
  await expect(app(page, 'payment-declined').getByText('Le solde de la carte est insuffisant.')).toBeVisible()
  await expect(here(page)).toHaveText('editing · current state')
  await page.getByRole('button', { name: 'en', exact: true }).click()
  await page.getByRole('combobox', { name: 'scheme' }).selectOption('dark')
  await page.getByRole('combobox', { name: 'text' }).selectOption('200 %')
  const address = page.url()
  expect(address).toMatch(/#transfer\?.*scene=payment-declined&language=en&scheme=dark&text=200$/)

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy address' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)

  const other = await context.newPage()
  await other.goto(address)
  const html = app(other, 'payment-declined').locator('html')
  await expect(html).toHaveAttribute('lang', 'en')
  await expect(html).toHaveCSS('color-scheme', 'dark')
  await expect(html).toHaveCSS('font-size', '32px')
})

test('the chart follows the app until another state is selected @desk', async ({ page }) => {
  await open(page, 'transfer?scene=payment-declined')
  const scene = app(page, 'payment-declined')
  await expect(scene.locator('html')).toHaveAttribute('data-scene', 'shown')
  // A click would not scroll the page to the docked button.
  await scene.getByRole('button', { name: /^Payer/ }).press('Enter')
  await expect(here(page)).toHaveText('reserving · current state')
  await card(page, 'confirmingCard.expected').getByRole('button', { name: 'expected' }).first().click()
  await expect(here(page)).toHaveText('confirmingCard.expected · current state')
  await expect(app(page, 'payment-3-d-secure').locator('html')).toHaveAttribute('data-scene', 'shown')
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`the storyboard is accessible in the ${colorScheme} color scheme @desk @all`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await open(page, 'transfer')
    await card(page, 'resuming').getByRole('button', { name: 'findOpenAttempt done [else]' }).click()
    await page.locator('iframe').evaluateAll((frames) => frames.forEach((frame) => void frame.remove()))
    // The lines of a card are repeated beside the chart, with the required size (WCAG 2.2, 2.5.8: equivalent).
    const broken = (await findAxeViolations(page, 'light')).filter(
      (one) => !/^target-size .*\.(lines|stays)/.test(one),
    )
    expect(broken).toEqual([])
    const lines = page.locator('.beside .lines button')
    expect(await lines.evaluateAll((all) => all.every(({ clientHeight }) => clientHeight >= 24))).toBe(true)
    // The chart and the row of choices have their own scroll bars.
    await page.setViewportSize(NARROWEST)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      NARROWEST.width,
    )
  })

// Only Mermaid itself can tell whether a diagram is valid, and it needs a browser.
test('Mermaid draws every state as an element with its ID @desk @all', async ({ page }) => {
  await page.addScriptTag({ path: 'node_modules/mermaid/dist/mermaid.min.js' })
  for (const machine of machines) {
    const chart = buildChart(machine)
    const drawn = await page.evaluate(
      async ([id, diagram]) => {
        const { mermaid } = window as unknown as { mermaid: Mermaid }
        document.body.innerHTML = (await mermaid.render(id, diagram)).svg
        return [...document.querySelectorAll('svg g')].map((element) => element.id)
      },
      [`chart-${chart.name}`, renderMermaid(chart)] as const,
    )
    const [, ...states] = flattenStates(chart.root).map(({ id }) => toMermaidId(id))
    expect(drawn.map(parseMermaidId), chart.name).toEqual(expect.arrayContaining(states))
  }
})
