import { expect, sceneTest, test } from './fixtures.ts'
import { openScene } from './steps/scenes.ts'
import { getText, setTestLanguage } from './texts.ts'
import { words } from './words.ts'

const PROMISES = [
  'Sécurité de niveau bancaire',
  'Votre numéro de carte va directement à notre prestataire de paiement. Nous ne le voyons jamais.',
  'Transferts instantanés',
  'Le paiement est immédiat ; l’heure d’arrivée est affichée avec le prix.',
  'Ouvert 24 h/24, 7 j/7',
  'Envoyez à toute heure. Notre assistance vous répond en semaine, de 9 h à 19 h.',
]

sceneTest(
  'the sign-in screen shows promises and hours @spec-sign-in-promises @both',
  async ({ page, isMobile }) => {
    await openScene(page, 'sign-in')
    for (const id of PROMISES) await expect(page.getByText(getText(id))).toBeVisible()
    const left = async (text: string) => (await page.getByText(text).boundingBox())?.x ?? Number.NaN
    const card = (await page.getByRole('tabpanel').boundingBox())?.x ?? Number.NaN
    const panel = await left(getText('Sécurité de niveau bancaire'))
    if (isMobile) expect(Math.abs(panel - card)).toBeLessThan(100)
    else expect(Math.abs(panel - card)).toBeGreaterThan(400)
  },
)

sceneTest(
  'home shows form and activity abreast or stacked @spec-home-layout @both',
  async ({ page, isMobile }) => {
    await openScene(page, 'home-empty')
    const form = await page.getByRole('heading', { name: words.send }).boundingBox()
    const activity = await page.getByRole('region', { name: words.activity }).boundingBox()
    const button = await page.locator('form [type=submit]').boundingBox()
    const last = await page.getByLabel(words.confirmPhone).boundingBox()
    if (!form || !activity || !button || !last) throw new Error('Something is not on the home screen')
    if (isMobile) {
      expect(activity.y).toBeGreaterThan(last.y + last.height)
    } else {
      expect(activity.x).toBeGreaterThan(button.x + button.width)
      expect(activity.y).toBeLessThan(button.y)
    }
  },
)

test.describe('an English browser', () => {
  test.use({ locale: 'en-GB' })

  test('the app starts in French even in an English browser @spec-language @english', async ({ page }) => {
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
    setTestLanguage('fr')
    await expect(page.getByRole('button', { name: words.createInstead })).toBeVisible()
  })
})

sceneTest('the menu shows the email address of the signed-in user @spec-menu @english', async ({ page }) => {
  await openScene(page, 'profile-menu')
  await expect(page.getByRole('menu').getByText('awa@example.com')).toBeVisible()
})

sceneTest('flags are shown without requests to other servers @spec-flags @english', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'image') asked.push(request.url())
  })
  await openScene(page, 'home-filled')
  const country = page.getByLabel(words.country)
  for (const code of ['FR', 'CA', 'GN']) {
    await country.selectOption(code)
    await expect(country.locator('xpath=..').locator('svg').first()).toBeVisible()
  }
  const { origin } = new URL(page.url())
  expect(asked.filter((address) => /^https?:/.test(address) && !address.startsWith(origin))).toEqual([])
})
