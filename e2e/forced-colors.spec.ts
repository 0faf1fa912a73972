import type { Locator, Page } from '@playwright/test'
import { expect, sceneTest as test } from './fixtures.ts'
import { openScene } from './steps/scenes.ts'
import { words } from './words.ts'

// On a device with forced colors, the app's backgrounds and shadows are not shown.

/** WCAG 2.2, 1.4.11. */
const CONTRAST = 3

async function checkForced(page: Page, check: () => Promise<void>) {
  for (const colorScheme of ['light', 'dark'] as const)
    await test.step(`forced colors, ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme, forcedColors: 'active' })
      await check()
    })
}

test('a checked box and the focus are visible in forced colors', async ({ page }) => {
  await openScene(page, 'home-filled')
  await checkForced(page, async () => {
    const confirm = page.getByLabel(words.confirmPhone)
    await confirm.uncheck()
    expect(await contrastWithin(page, confirm), 'an empty box').toBeLessThan(CONTRAST)
    await confirm.check()
    expect(await contrastWithin(page, confirm), 'the tick').toBeGreaterThanOrEqual(CONTRAST)

    for (const name of [words.amount, words.phone]) {
      const field = page.getByLabel(name)
      const before = await surroundings(page, field)
      await field.focus()
      expect((await surroundings(page, field)).equals(before), `the focus in ${name}`).toBe(false)
    }
  })
})

test('the selected tab and the current page are underlined in forced colors', async ({ page }) => {
  await openScene(page, 'sign-in')
  await checkForced(page, async () => {
    const tabs = [words.emailTab, words.phoneTab].map((name) => page.getByRole('tab', { name, exact: true }))
    expect(await Promise.all(tabs.map(isMarked))).toEqual([true, false])
  })
  await openScene(page, 'wallet')
  await checkForced(page, async () => {
    const entries = page.locator('nav:visible button')
    const marks = await Promise.all((await entries.all()).map(isMarked))
    expect(marks.filter(Boolean)).toHaveLength(1)
    await expect(entries.nth(marks.indexOf(true))).toHaveAttribute('aria-current', 'page')
  })
})

const isMarked = (element: Locator) =>
  element.evaluate((node) => getComputedStyle(node).textDecorationLine === 'underline')

async function surroundings(page: Page, element: Locator): Promise<Buffer> {
  await element.scrollIntoViewIfNeeded()
  const box = await element.boundingBox()
  if (!box) throw new Error('It is not in the page')
  const clip = { x: box.x - 6, y: box.y - 6, width: box.width + 12, height: box.height + 12 }
  return page.screenshot({ clip })
}

async function contrastWithin(page: Page, element: Locator): Promise<number> {
  const picture = await element.screenshot()
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const { width, height } = bitmap
    // The margin keeps the samples inside the rounded corners.
    const edge = Math.round(width / 4)
    const canvas = new OffscreenCanvas(width, height).getContext('2d')
    if (!canvas) throw new Error('There is no canvas')
    canvas.drawImage(bitmap, 0, 0)
    const { data } = canvas.getImageData(edge, edge, width - 2 * edge, height - 2 * edge)
    let [lightest, darkest] = [0, 1]
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = [...data.slice(at, at + 3)].map((part) => {
        const share = part / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      lightest = Math.max(lightest, light)
      darkest = Math.min(darkest, light)
    }
    return (lightest + 0.05) / (darkest + 0.05)
  }, picture.toString('base64'))
}
