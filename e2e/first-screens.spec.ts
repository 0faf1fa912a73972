import { expect, test } from './fixtures.ts'
import { expectHome } from './steps/pages.ts'
import { fillTransfer } from './steps/transfer.ts'
import { arriveHome } from './steps/waysIn.ts'
import { say, speakIn } from './texts.ts'
import { words } from './words.ts'

const PROMISES = [
  'Sécurité de niveau bancaire',
  'Vous saisissez votre carte chez notre prestataire de paiement. Nous ne la voyons jamais.',
  'Transferts instantanés',
  'Votre paiement part à l’instant ; l’arrivée est prévue une heure après.',
  'Ouvert 24 h/24, 7 j/7',
  'Envoyez à toute heure. Notre assistance vous répond en semaine, de 9 h à 19 h.',
]

test('beside the sign-in stand security, instant transfers and opening hours, in words that are true @spec-sign-in-promises', async ({
  page,
  language,
  isMobile,
}) => {
  await page.goto('/')
  await page.getByRole('button', { name: language === 'fr' ? 'Français' : 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  for (const id of PROMISES) await expect(page.getByText(say(id))).toBeVisible()
  const left = async (text: string) => (await page.getByText(text).boundingBox())?.x ?? Number.NaN
  const card = (await page.getByRole('tabpanel').boundingBox())?.x ?? Number.NaN
  const panel = await left(say('Sécurité de niveau bancaire'))
  if (isMobile) expect(Math.abs(panel - card)).toBeLessThan(100)
  else expect(Math.abs(panel - card)).toBeGreaterThan(400)
})

test('home has the transfer and the activity side by side on a desk, one after the other on a phone @spec-home-layout', async ({
  page,
  server,
  isMobile,
}) => {
  await arriveHome(page, server)
  await expectHome(page)
  const form = await page.getByRole('heading', { name: words.send }).boundingBox()
  const activity = await page.getByRole('region', { name: words.activity }).boundingBox()
  const button = await page.getByRole('button', { name: words.pay }).boundingBox()
  if (!form || !activity || !button) throw new Error('Something is not on the home screen')
  if (isMobile) {
    expect(activity.y).toBeGreaterThan(button.y + button.height)
  } else {
    expect(activity.x).toBeGreaterThan(button.x + button.width)
    expect(activity.y).toBeLessThan(button.y)
  }
})

test.describe('on an English browser', () => {
  test.use({ locale: 'en-GB' })

  test('the app begins in French all the same, until somebody chooses @spec-language', async ({ page }) => {
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
    speakIn('fr')
    await expect(page.getByRole('button', { name: words.createInstead })).toBeVisible()
  })
})

test('the menu shows the address of who is signed in @spec-menu', async ({ page, server }) => {
  const { email } = await arriveHome(page, server)
  await page.getByRole('button', { name: words.menu }).click()
  await expect(page.getByRole('menu').getByText(email)).toBeVisible()
})

test('flags come with the app @spec-flags', async ({ page, server, baseURL }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'image') asked.push(request.url())
  })
  await arriveHome(page, server)
  await fillTransfer(page, { amount: '100' })
  const country = page.getByLabel(words.country)
  for (const code of ['FR', 'CA', 'GN']) {
    await country.selectOption(code)
    await expect(country.locator('xpath=..').locator('svg')).toBeVisible()
  }
  expect(asked.filter((address) => /^https?:/.test(address) && !address.startsWith(baseURL ?? ''))).toEqual(
    [],
  )
})
