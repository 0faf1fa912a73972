import { SCENES } from '../scenes/scenes.ts'
import { checkScreen, checkScreenOnce, PHONE_VIEWPORT } from './checkScreen.ts'
import { expect, sceneTest as test } from './fixtures.ts'
import { isProof } from './proof.ts'
import { findTranslatableElements, simulateTranslator } from './steps/extensions.ts'
import { addCheckers, openScene, setLanguage } from './steps/scenes.ts'

// Two scenes break the app on purpose.
test.use({ expectedErrors: [/not foreseen/] })

/** Scenes with another layout on a desktop. */
const ON_A_DESK = ['sign-in', 'home-filled', 'home-activity', 'profile', 'identity-preview', 'plans']

/** The proof checks these in every language, scheme and size, for all screens of their kind. */
const ONE_OF_EACH_KIND = [
  'sign-in',
  'home-filled',
  'payment',
  'receipt-new',
  'history',
  'plans',
  'identity-preview',
]

for (const scene of SCENES)
  test(`the scene ${scene.name} is accessible @spec-screens`, async ({ page }) => {
    await page.setViewportSize(PHONE_VIEWPORT)
    const isOnDesk = ON_A_DESK.includes(scene.name)
    await openScene(page, scene.name, { language: 'fr' })
    await addCheckers(page, 'axe')
    if (scene.isBrief || (isProof && !ONE_OF_EACH_KIND.includes(scene.name)))
      await checkScreenOnce(page, 'fr')
    else {
      await addCheckers(page, 'ace')
      await checkScreen(page, 'fr', { isOnDesk })
      // Opened again, because a toast keeps its language.
      await openScene(page, scene.name, { language: 'en' })
      await addCheckers(page, 'axe')
      await checkScreen(page, 'en', { isOnDesk })
    }
    expect.soft(await findTranslatableElements(page), 'amounts and buttons for a translator').toEqual([])
    // If React can't change a text that a translator has replaced, its error fails the test.
    await simulateTranslator(page)
    for (const language of ['fr', 'en', 'fr'] as const) await setLanguage(page, language)
  })

test('a scene leaves no globals, stored values or locks behind', async ({ page }) => {
  const observe = async () => {
    await openScene(page, 'home-filled', { language: 'fr' })
    // The price is announced once the user pauses.
    await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Frais' })).toBeAttached()
    const device = await page.evaluate(async () => ({
      globals: Object.getOwnPropertyNames(window).sort(),
      stored: [Object.keys(localStorage), Object.keys(sessionStorage), document.cookie],
      locks: (await navigator.locks.query()).held,
      isOnline: navigator.onLine,
    }))
    return { ...device, content: await page.getByRole('main').ariaSnapshot() }
  }
  const first = await observe()
  for (const name of ['home-offline', 'sign-in-storage-blocked', 'home-install-in-safari', 'crashed'])
    await openScene(page, name, { language: 'en' })
  expect(await observe()).toEqual(first)
})
