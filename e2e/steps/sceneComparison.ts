import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import type { User } from '../../scenes/frame/user.ts'
import { findScene } from '../../scenes/scenes.ts'
import { expectMachineStates } from './machineStates.ts'
import { openScene } from './scenes.ts'

const scenePages = new WeakMap<BrowserContext, Page>()

/** On the phone in French. The failure shows the difference of both accessibility trees. */
export const compareWithScene = (page: Page, name: string) =>
  test.step(name, async () => {
    const context = page.context()
    const scenePage = scenePages.get(context) ?? (await context.newPage())
    scenePages.set(context, scenePage)
    await expectMachineStates(page, findScene(name))
    await openScene(scenePage, name, { language: 'fr' })
    await expect(async () => expect(await describePage(page)).toBe(await describePage(scenePage))).toPass({
      timeout: 30_000,
    })
  })

/** Takes the scene's own steps in the app, compares, and closes what they have opened. */
export async function reachScene(page: Page, name: string) {
  await findScene(name).act?.(createUser(page))
  await compareWithScene(page, name)
  await page.keyboard.press('Escape')
}

function createUser(page: Page): User {
  const top = page.locator('body, [role=dialog]').last()
  const user: User = {
    async press(...texts) {
      for (const text of texts)
        await top
          .getByRole('button', { name: text })
          .or(top.getByRole('menuitem', { name: text }))
          .first()
          .click()
    },
    async pressUntil(text, until) {
      await user.press(text)
      await user.see(until)
    },
    async type(label, value) {
      const field = top.getByLabel(label).and(top.locator('input, select')).first()
      if (await field.evaluate((element) => element instanceof HTMLSelectElement))
        await field.selectOption(value)
      else await field.fill(value)
    },
    async submit(values, button) {
      for (const [label, value] of Object.entries(values)) await user.type(label, value)
      await user.press(button)
    },
    async choose(file) {
      const buffer = Buffer.from(await file.arrayBuffer())
      const mimeType = file.type || 'image/png'
      await top.locator('input[type=file]').setInputFiles({ name: file.name, mimeType, buffer })
    },
    leave: () => void page.locator(':focus').blur(),
    see: (text) => expect(page.locator('body')).toContainText(text.replace(/\{.*/s, '')),
  }
  return user
}

/** Leaves out the provider's card form, in which a scene draws less. */
async function describePage(page: Page) {
  const cardForms = page.locator('iframe, [data-stand-in]')
  const show = (visibility: '' | 'hidden') =>
    cardForms.evaluateAll((all, chosen) => {
      for (const one of all as HTMLElement[]) one.style.visibility = chosen
    }, visibility)
  await show('hidden')
  const content = await page.locator('body').ariaSnapshot()
  await show('')
  return replaceVarying(content)
}

const MONTHS = 'janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre'
const DAYS = 'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche'

const replaceVarying = (snapshot: string) =>
  VARYING.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), snapshot)

const VARYING: readonly (readonly [RegExp, string])[] = [
  // A list of transfers has headings where a month ends.
  [new RegExp(`^ *- heading "(?:${MONTHS}) \\d{4}" .*\n`, 'gm'), ''],
  [new RegExp(`\\d+(?:er)? (?:${MONTHS})(?: \\d{4})?|${DAYS}|hier|aujourd’hui`, 'g'), '(day)'],
  [/à l’instant|il y a \d min/g, '(now)'],
  [/\d\d:\d\d/g, '(time)'],
  // A time of another day has its date: the test's arrival is tomorrow in the last hour of a day.
  [/le \(day\) à \(time\)(?: UTC\+\d)?/g, '(time)'],
  [/\d+ s"/g, '(seconds)"'],
  [/[\d,]+ ko/g, '(size)'],
  [/[\w-]+@example\.com/g, '(address)'],
  [/pi_\w+/g, '(payment)'],
  [/6012-\d{4,}/g, '(invoice)'],
]
