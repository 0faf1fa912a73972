import type { Page } from '@playwright/test'
import { getAppFolder } from '../build/build.ts'
import { findScene } from '../scenes/scenes.ts'
import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { JOURNEYS } from './journeys.ts'
import { expectMachineStates } from './steps/machineStates.ts'
import { openScene } from './steps/scenes.ts'

test.use({
  // Some journeys go through a request that gets no answer.
  expectedErrors: [BROKEN_CALL_ERRORS],
  settings: { SANDBOX_APP: getAppFolder('inspected') },
})

for (const [name, walk] of Object.entries(JOURNEYS))
  test(`on the way of ${name}, each screen looks like its scene`, async ({ page, server, context }) => {
    test.slow()
    const scenePage = await context.newPage()
    await walk(page, server, async (scene) => {
      await test.step(scene, async () => {
        await expectMachineStates(page, findScene(scene))
        await openScene(scenePage, scene, { language: 'fr' })
        await expect(async () => expect(await describePage(page)).toBe(await describePage(scenePage))).toPass(
          { timeout: 30_000 },
        )
      })
    })
  })

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
  [/le \(day\) à \(time\)/g, '(time)'],
  [/\d+ s"/g, '(seconds)"'],
  [/[\d,]+ ko/g, '(size)'],
  [/[\w-]+@example\.com/g, '(address)'],
  [/pi_\w+/g, '(payment)'],
  [/6012-\d{4,}/g, '(invoice)'],
]
