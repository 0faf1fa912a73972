import { expect, sceneTest, test } from './fixtures.ts'
import { delayRequests } from './steps/faults.ts'
import { formatAmountText, formatPriceText } from './steps/moneyTexts.ts'
import { expectHome } from './steps/pages.ts'
import { createPerson } from './steps/person.ts'
import { openScene } from './steps/scenes.ts'
import { openInTestLanguage, openMailedLink } from './steps/signIn.ts'
import { typeCoupon } from './steps/transfer.ts'
import { defineTexts, getText, setTestLanguage } from './texts.ts'
import { words } from './words.ts'

const said = defineTexts({
  nearest: () =>
    getText('Le bénéficiaire recevra {converted}, le montant possible juste au-dessus.', {
      converted: formatAmountText(1_500_006, 'GNF'),
    }),
  tooHigh: () => getText('Le montant maximum par transfert est de {max}', { max: formatPriceText(50_000) }),
  limits: () =>
    getText('De {min} à {max} par transfert', { min: formatPriceText(1000), max: formatPriceText(50_000) }),
  paid: { fr: '145,89', en: '145.89' },
  free: { fr: '141,51', en: '141.51' },
  dollars: { fr: '241,52', en: '241.52' },
})

/** Formats like a field without the focus. */
const francs = (figure: number, language: 'fr' | 'en') =>
  figure.toLocaleString(language === 'fr' ? 'fr-FR' : 'en-GB').replaceAll('\u202f', '\u00a0')

sceneTest(
  'a typed amount to receive determines the amount to pay @spec-typed-to-arrive @english',
  async ({ page, language }) => {
    await openScene(page, 'home-empty')
    const pays = page.getByLabel(words.amount)
    const arrives = page.getByLabel(words.arrives)
    await expect(page.getByText(said.limits)).toBeVisible()

    await arrives.fill('1500000')
    await expect(pays).toHaveValue(said.paid)
    await expect(arrives).toHaveAccessibleDescription(said.nearest)
    await arrives.blur()
    await expect(arrives).toHaveValue(francs(1_500_006, language))
    await page.getByLabel(words.phone).fill('+224 620 00 00 00')
    await expect(page.getByRole('main').getByRole('button', { name: words.pay })).toContainText(said.paid)

    await arrives.press('End')
    await arrives.press('Backspace')
    await expect(arrives).toHaveValue('150000')
    await arrives.press('0')
    await expect(pays).toHaveValue(said.paid)
    await arrives.blur()

    // The amount to receive stays, so the amount to pay follows the coupon and the currency.
    await typeCoupon(page, 'ZERO')
    await expect(pays).toHaveValue(said.free)
    await typeCoupon(page, '')
    await expect(pays).toHaveValue(said.paid)
    await page.getByLabel(words.currency).selectOption('CAD')
    await expect(pays).toHaveValue(said.dollars)
    await page.getByLabel(words.currency).selectOption('EUR')

    await arrives.fill('9000000')
    await expect(arrives).toHaveAccessibleDescription(said.tooHigh)
    await arrives.fill('abc')
    await arrives.blur()
    await expect(arrives).toHaveValue('abc')
    await expect(pays).toHaveValue('')

    await pays.fill('100')
    await expect(arrives).toHaveValue(francs(1_028_200, language))
    await typeCoupon(page, 'ZERO')
    await expect(pays).toHaveValue('100')
    await expect(arrives).toHaveValue(francs(1_060_000, language))
    // With another currency to receive, the amount to pay stays.
    await page.getByLabel(words.country).selectOption('FR')
    await expect(pays).toHaveValue('100')
    await expect(arrives).toHaveValue(language === 'fr' ? '100,00' : '100.00')
  },
)

test('the price needs no account, and outlasts the sign-up @english', async ({ page, server, language }) => {
  const called: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/.netlify/functions/')) called.push(request.url())
  })
  await openInTestLanguage(page)
  const pays = page.getByLabel(words.amount)
  const arrives = page.getByLabel(words.arrives)
  await expect(pays).toHaveValue('100')
  await expect(arrives).toHaveValue(francs(1_028_200, language))
  await arrives.fill('1500000')
  await expect(pays).toHaveValue(said.paid)
  await page.getByLabel(words.country).selectOption('FR')
  await pays.fill('42')
  await page.reload()
  await expect(pays).toHaveValue('42')
  await expect(page.getByLabel(words.country)).toHaveValue('FR')
  await page.getByRole('button', { name: words.createInstead }).click()
  expect(called).toEqual([])

  const person = { ...createPerson(), name: '\u202eAwa <0>Ba</0> {x} 🙂 Diallo' }
  await page.getByLabel(words.name).fill(person.name)
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
  await page.getByRole('button', { name: words.createAccount }).click()
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
  await openMailedLink(page, server, person.email)
  await expectHome(page)
  // The name has markup and placeholders, but is plain text.
  await expect(page.getByText('AWA <0>BA</0> {X} 🙂 DIALLO')).toBeVisible()
  expect(await server.documents('users', 'email', person.email)).toMatchObject([
    { name: 'Awa <0>Ba</0> {x} 🙂 Diallo' },
  ])
  await expect(pays).toHaveValue('42')
  await expect(page.getByLabel(words.country)).toHaveValue('FR')

  expect(await page.evaluate(() => localStorage.getItem('passerelle.wantedQuote'))).toBeNull()
})

test('an amount typed before the quote module survives a language change @all', async ({ page }) => {
  const release = await delayRequests(page, '**/assets/shared-*.js')
  await page.goto('/')
  await page.waitForFunction(() => window.opening?.isTakenOver)
  await page.getByLabel(words.arrives).fill('2056400')
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  release()
  setTestLanguage('en')
  await expect(page.getByLabel(words.arrives)).toHaveValue(/^2,?056,?400$/)
  await expect(page.getByLabel(words.amount)).toHaveValue(/^200(\.00)?$/)
})
