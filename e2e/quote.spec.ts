import { expect, test } from './fixtures.ts'
import { holdBack } from './steps/faults.ts'
import { amount, price } from './steps/moneyTexts.ts'
import { expectHome } from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import { openCoupon } from './steps/transfer.ts'
import { arriveHome, speak } from './steps/waysIn.ts'
import { say, speakIn, texts } from './texts.ts'
import { words } from './words.ts'

const said = texts({
  nearest: () =>
    say('Il arrivera {converted} : le montant possible juste au-dessus.', {
      converted: amount(1_500_006, 'GNF'),
    }),
  send: 'Envoyer cette somme',
  tooHigh: () => say('Le montant maximum par transfert est de {max}', { max: price(50_000) }),
  limits: () => say('De {min} à {max} par transfert', { min: price(1000), max: price(50_000) }),
  paid: { fr: '145,89', en: '145.89' },
  free: { fr: '141,51', en: '141.51' },
  dollars: { fr: '241,52', en: '241.52' },
})

/** What a field of francs shows when nobody types into it. */
const francs = (figure: number, language: 'fr' | 'en') =>
  figure.toLocaleString(language === 'fr' ? 'fr-FR' : 'en-GB')

test('what is typed to arrive leads, until another amount is typed @spec-typed-to-arrive', async ({
  page,
  server,
  language,
}) => {
  await arriveHome(page, server)
  const pays = page.getByLabel(words.amount)
  const arrives = page.getByLabel(words.arrives)
  await expect(page.getByText(said.limits)).toBeVisible()

  await arrives.fill('1500000')
  await expect(pays).toHaveValue(said.paid)
  await expect(arrives).toHaveAccessibleDescription(said.nearest)
  await arrives.blur()
  await expect(arrives).toHaveValue(francs(1_500_006, language))
  await expect(page.getByRole('main').getByRole('button', { name: words.pay })).toContainText(said.paid)

  // Somebody goes on from what stands there, whose figures are in groups.
  await arrives.press('End')
  await arrives.press('Backspace')
  await expect(arrives).toHaveValue('150000')
  await arrives.press('0')
  await expect(pays).toHaveValue(said.paid)
  await arrives.blur()

  // The same is to arrive, so less or another currency is paid.
  const coupon = await openCoupon(page)
  await coupon.fill('ZERO')
  await expect(pays).toHaveValue(said.free)
  await coupon.fill('')
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
  await coupon.fill('ZERO')
  await expect(pays).toHaveValue('100')
  await expect(arrives).toHaveValue(francs(1_060_000, language))
  // Francs are no euros.
  await page.getByLabel(words.country).selectOption('FR')
  await expect(pays).toHaveValue('100')
  await expect(arrives).toHaveValue(language === 'fr' ? '100,00' : '100.00')
})

test('the price stands before any account, and what was typed is there after the sign-up', async ({
  page,
  server,
  language,
}) => {
  const called: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/.netlify/functions/')) called.push(request.url())
  })
  await speak(page)
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
  await page.getByRole('button', { name: said.send }).click()
  await expect(page.getByLabel(words.name)).toBeFocused()
  expect(called).toEqual([])

  const person = somebody()
  await page.getByLabel(words.name).fill(person.name)
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
  await page.getByRole('button', { name: words.createAccount }).click()
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
  await page.goto(await server.mailLink(person.email))
  await page.getByRole('link', { name: words.goOn }).click()
  await expectHome(page)
  await expect(pays).toHaveValue('42')
  await expect(page.getByLabel(words.country)).toHaveValue('FR')

  // It was for once.
  expect(await page.evaluate(() => localStorage.getItem('passerelle.wantedQuote'))).toBeNull()
})

test('what was typed into the painted price counts once its code is there', async ({ page, language }) => {
  await speak(page)
  const release = await holdBack(page, '**/assets/quote-*.js')
  await page.reload()
  await page.waitForFunction(() => window.opening?.isTakenOver)
  const pays = page.getByLabel(words.amount)
  const arrives = page.getByLabel(words.arrives)
  await expect(arrives).toHaveValue(francs(1_028_200, language))
  await pays.fill('200')
  await expect(arrives).toHaveValue(francs(1_028_200, language))
  release()
  await expect(arrives).toHaveValue(francs(2_056_400, language))
  await expect(pays).toHaveValue('200')
})

for (const [what, field, typed] of [
  ['is paid', 'amount', '200'],
  ['is to arrive', 'arrives', '2056400'],
] as const)
  test(`what ${what} stays when another language is chosen before the code of the painted price is there`, async ({
    page,
  }) => {
    const release = await holdBack(page, '**/assets/quote-*.js')
    await page.goto('/')
    await page.waitForFunction(() => window.opening?.isTakenOver)
    speakIn('fr')
    await page.getByLabel(words[field]).fill(typed)
    await page.getByRole('button', { name: 'English' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    release()
    speakIn('en')
    await expect(page.getByLabel(words.arrives)).toHaveValue(/^2,?056,?400$/)
    await expect(page.getByLabel(words.amount)).toHaveValue(/^200(\.00)?$/)
  })

test('a device that is full keeps nothing of the price, and works', async ({ page, language }) => {
  await speak(page)
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  })
  await page.getByLabel(words.amount).fill('200')
  await expect(page.getByLabel(words.arrives)).toHaveValue(francs(2_056_400, language))
  await page.getByRole('button', { name: language === 'fr' ? 'English' : 'Français' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', language === 'fr' ? 'en' : 'fr')
})
