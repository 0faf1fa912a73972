import { nextMonthStart } from '../domain/month.ts'
import { BROKEN_CALLS, CRASH_OR_BROKEN_CALLS, expect, test } from './fixtures.ts'
import { blockStorage, crash, holdBack } from './steps/faults.ts'
import { amount, day, price, sayOfMoney } from './steps/moneyTexts.ts'
import { expectHome, pressKey } from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import {
  CARDS,
  confirmByKey,
  confirmForm,
  fillTransfer,
  openCoupon,
  pay,
  payButton,
  payWithCard,
  typeCard,
} from './steps/transfer.ts'
import { arriveHome, fillSignUp, signIn, signOut, signUp, speak } from './steps/waysIn.ts'
import { say, speakIn, texts } from './texts.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALLS] })

const said = texts({
  advice: 'Si un paiement était en cours, ne payez pas une seconde fois avant d’en connaître le résultat.',
  reopen: 'Rouvrir l’application',
})
/** The notice of a reached cap, with the amount that is left. */
const capLeft = (left: number) =>
  sayOfMoney(
    'Vous pouvez envoyer {cap} par mois. Il vous reste {left} ; un nouveau mois commence le {date}. Votre carte n’a pas été débitée.',
    { left: amount(left), date: day(nextMonthStart(Date.now())) },
  )

const TYPED = { amount: '100', phone: '+224 620 00 00 00' }

test.describe('signing up and in', () => {
  test('each field says what it lacks, and nothing typed is lost @spec-sign-up-errors', async ({ page }) => {
    await speak(page)
    await page.getByRole('button', { name: words.createInstead }).click()
    await page.getByLabel(words.email).fill('aissatou@')
    await page.getByLabel(words.password, { exact: true }).fill('court')
    await page.getByRole('button', { name: words.createAccount }).click()
    await expect(page.getByText(words.nameWanted)).toBeVisible()
    await expect(page.getByText(say('Saisissez une adresse e-mail valide.'))).toBeVisible()
    await expect(page.getByText(words.passwordTooShort)).toBeVisible()
    await expect(page.getByLabel(words.name)).toBeFocused()
    await expect(page.getByLabel(words.email)).toHaveValue('aissatou@')
    await expect(page.getByLabel(words.password, { exact: true })).toHaveValue('court')
  })

  test('who signs in is asked for the whole password, and not told the rule for new ones', async ({
    page,
  }) => {
    await speak(page)
    for (const typed of ['', 'court']) {
      await page.getByLabel(words.email).fill('aissatou@example.com')
      await page.getByLabel(words.password, { exact: true }).fill(typed)
      await page.getByRole('button', { name: words.signIn }).click()
      await expect(page.getByText(say('Saisissez votre mot de passe en entier.'))).toBeVisible()
      await expect(
        page.getByText(say('Le mot de passe doit contenir au moins {PASSWORD_MIN_LENGTH} caractères.')),
      ).toBeHidden()
    }
  })
})

test('a browser that keeps nothing says so, and lets people in for as long as the page is open', async ({
  page,
  server,
}) => {
  const person = somebody()
  await server.register(person)
  await blockStorage(page)
  await speak(page)
  await expect(page.getByText(words.storageBlocked)).toBeVisible()
  await signIn(page, person)
  await expectHome(page)
  await page.reload()
  // Not even the language is kept.
  speakIn('fr')
  await expect(page.getByText(words.storageBlocked)).toBeVisible()
})

test('the transfer form says what is wrong with each field, and loses nothing @spec-form-errors', async ({
  page,
  server,
}) => {
  await arriveHome(page, server)
  const amountField = page.getByLabel(words.amount)
  const phone = page.getByLabel(words.phone)
  const coupon = await openCoupon(page)
  const noCountry = say('Pays de destination non pris en charge')
  for (const [field, typed, text] of [
    ...['', '1,234', '1e3', '-50'].map(
      (wrong) => [amountField, wrong, say('Saisissez un montant valide')] as const,
    ),
    [amountField, '9,99', say('Le montant minimum par transfert est de {min}', { min: price(1000) })],
    [amountField, '500,01', say('Le montant maximum par transfert est de {max}', { max: price(50_000) })],
    [phone, '', words.phoneWanted],
    [
      phone,
      '+224 62',
      say('Saisissez un numéro de téléphone valide (par exemple {example})', {
        example: '+224 620 00 00 00',
      }),
    ],
    [phone, '+44', noCountry],
    [
      phone,
      '+33 6 12 34 56 78',
      say('Le numéro doit commencer par {prefix} pour {country}', { prefix: '+224', country: 'la Guinée' }),
    ],
    [phone, '+44 7911 123456', noCountry],
    [coupon, '!', words.couponWrong],
  ] as const) {
    await field.fill(typed)
    await field.blur()
    await expect(page.getByText(text)).toBeVisible()
    await expect(field).toHaveValue(typed)
  }
  // What can't be part of an amount can't be typed.
  await amountField.fill('')
  await amountField.pressSequentially('-1e+2')
  await expect(amountField).toHaveValue('12')
})

test('a declined card leaves the form as it was @spec-declined', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await fillTransfer(page, TYPED)
  for (const [card, reason] of [
    [CARDS.declined, 'La banque a refusé la carte.'],
    [CARDS.noFunds, 'Le solde de la carte est insuffisant.'],
  ] as const) {
    await confirmForm(page)
    await payWithCard(page, card)
    await expect(page.getByText(words.declined)).toBeInViewport()
    await expect(page.getByText(say(reason))).toBeInViewport()
    await expect(page.getByLabel(words.amount)).toHaveValue(TYPED.amount)
    await expect(page.getByLabel(words.phone)).toHaveValue(TYPED.phone)
    await expect(page.getByLabel(words.confirmPhone)).toBeChecked()
  }
  expect(await server.transactionsOf(person.email)).toEqual([])

  await confirmForm(page)
  await pay(page)
  expect(await server.paymentIntentsOf(person.email)).toHaveLength(1)
  expect(await server.transactionsOf(person.email)).toHaveLength(1)
})

test.describe('3-D Secure', () => {
  test('is asked for, and the payment goes on @spec-3d-secure', async ({ page, server }) => {
    const person = await arriveHome(page, server)
    await fillTransfer(page, TYPED)
    await confirmForm(page)
    await typeCard(page, CARDS.threeDSecure)
    const confirmed = page.waitForRequest('**/v1/payment_intents/*/confirm')
    await payButton(page).click()
    const sent = new URLSearchParams((await confirmed).postData() ?? '')
    expect(sent.get('return_url')).toBe(`${server.origin}/payment-complete`)
    await page.frameLocator('dialog iframe').getByRole('button', { name: words.authenticate }).click()
    await expect(page.getByText(words.paid)).toBeVisible()
    expect(await server.transactionsOf(person.email)).toHaveLength(1)
  })

  test('refused: nothing is charged and the form is kept', async ({ page, server }) => {
    const person = await arriveHome(page, server)
    await fillTransfer(page, TYPED)
    await confirmForm(page)
    await payWithCard(page, CARDS.threeDSecure)
    await page.frameLocator('dialog iframe').getByRole('button', { name: words.refuseAuthentication }).click()
    await expect(page.getByText(say('L’authentification par votre banque n’a pas abouti.'))).toBeVisible()
    await expect(page.getByLabel(words.amount)).toHaveValue(TYPED.amount)
    expect(await server.transactionsOf(person.email)).toEqual([])
  })
})

test('the monthly cap is explained with what is left', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  for (const amount of ['500', '450']) {
    await fillTransfer(page, { ...TYPED, amount })
    await confirmForm(page)
    await payWithCard(page)
    await page.getByRole('button', { name: words.done }).click()
  }
  await fillTransfer(page, TYPED)
  await confirmForm(page)
  await expect(page.getByText(words.capReached)).toBeInViewport()
  await expect(page.getByText(capLeft(5000))).toBeVisible()
  expect(await server.paymentIntentsOf(person.email)).toHaveLength(2)

  // The button offers what is left, and pays nothing before that stands in the form.
  await page
    .getByRole('button', { name: say('Choisir plutôt {lowerAmount}', { lowerAmount: amount(5000) }) })
    .click()
  await expect(page.getByLabel(words.amount)).toHaveValue('50')
  await expect(page.getByText(words.capReached)).toBeHidden()
  expect(await server.paymentIntentsOf(person.email)).toHaveLength(2)
  await page.getByRole('button', { name: say('Payer {gross}', { gross: amount(5000) }) }).click()
  await payWithCard(page)
  await page.getByRole('button', { name: words.done }).click()

  // Of what is left nothing can be sent: the button is closed until the form has changed.
  await fillTransfer(page, { ...TYPED, amount: '20' })
  const button = await confirmByKey(page)
  await expect(page.getByText(capLeft(0))).toBeVisible()
  await expect(button).toHaveText(say('Payer {gross}', { gross: amount(2000) }))
  await expect(button).toBeDisabled()
  await expect(button).toBeFocused()
})

test('going back from the card gives the amount back', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await fillTransfer(page, { ...TYPED, amount: '500' })
  await confirmForm(page)
  await expect(payButton(page)).toBeEnabled()
  await page.getByRole('button', { name: words.backToTransfer }).click()
  await expect(page.getByRole('button', { name: words.pay })).toBeEnabled()
  await expect.poll(async () => (await server.paymentIntentsOf(person.email))[0]?.status).toBe('canceled')
  await expect
    .poll(() => server.ledgersOf(person.email))
    .toMatchObject([{ recordedCents: 0, reservedCents: 0, reservedSlots: 0 }])
})

test.describe('a bad network while signing up', () => {
  test('a sign-up that was cut off between account and profile can be taken up again @spec-sign-up-resumed', async ({
    page,
    server,
  }) => {
    const person = somebody()
    await speak(page)
    await fillSignUp(page, person)
    await page.route('**/documents:commit**', (route) => route.abort())
    await page.route('**/accounts:delete**', (route) => route.abort())
    await page.getByRole('button', { name: words.createAccount }).click()
    await expect(page.getByText(words.noAnswer)).toBeVisible()
    await expect(page.getByLabel(words.email)).toHaveValue(person.email)

    await page.unrouteAll()
    await page.getByRole('button', { name: words.createAccount }).click()
    await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
    expect(await server.documents('users', 'email', person.email)).toMatchObject([{ name: person.name }])
  })
})

test('a name is text wherever it stands', async ({ page, server }) => {
  const person = { ...somebody(), name: '\u202eAwa <0>Ba</0> {x} 🙂 Diallo' }
  await speak(page)
  await signUp(page, person)
  await page.goto(await server.mailLink(person.email))
  await page.getByRole('link', { name: words.goOn }).click()
  await expect(page.getByText('AWA <0>BA</0> {X} 🙂 DIALLO')).toBeVisible()
  expect(await server.documents('users', 'email', person.email)).toMatchObject([
    { name: 'Awa <0>Ba</0> {x} 🙂 Diallo' },
  ])
})

test.describe('what was not foreseen', () => {
  test.use({ expectedErrors: [CRASH_OR_BROKEN_CALLS] })

  test('a start that fails, and a screen that can not be drawn, say what to do, and open again', async ({
    page,
    server,
  }) => {
    const person = somebody()
    await server.register(person)
    const advice = page.getByText(said.advice, { exact: true })
    await page.route('**/v1/projects/**', (route) => route.abort())
    await speak(page)
    await signIn(page, person)
    await expect(page.getByText(words.startFailed)).toBeVisible()
    await expect(advice).toBeVisible()
    await page.unrouteAll()
    await page.getByRole('button', { name: words.retry }).click()
    await expectHome(page)
    await crash(page)
    await expect(page.getByRole('heading', { level: 1, name: words.crashed })).toBeVisible()
    await expect(advice).toBeVisible()
    await page.getByRole('button', { name: said.reopen }).click()
    await expectHome(page)
  })

  test('code that the network cut off while somebody signs in is fetched again', async ({ page, server }) => {
    const person = await arriveHome(page, server)
    await signOut(page)
    await page.goto('about:blank')
    await page.route('**/assets/Home-*.js', (route) => route.abort(), { times: 1 })
    await page.goto('/')
    await signIn(page, person)
    await expectHome(page)
  })

  test('so are its styles: no screen comes without them', async ({ page, server }) => {
    const person = somebody()
    await server.register(person)
    await page.route('**/assets/Home-*.css', (route) => route.abort(), { times: 2 })
    await speak(page)
    await signIn(page, person)
    await expectHome(page)
    await expect(page.getByRole('main')).toHaveCSS('display', 'grid')
  })

  for (const kind of ['js', 'css'])
    test(`${kind} that a new version took away is asked for in vain: the app says what to do, and opens again`, async ({
      page,
      server,
    }) => {
      const person = somebody()
      await server.register(person)
      await page.route(`**/assets/Home-*.${kind}`, (route) => route.fulfill({ status: 404, body: '' }))
      await speak(page)
      await signIn(page, person)
      await expect(page.getByText(words.codeMissing)).toBeVisible()
      await expect(page.getByRole('alert').getByText(said.advice)).toBeVisible()
      await page.unrouteAll()
      await page.getByRole('button', { name: said.reopen }).click()
      await expectHome(page)
      await expect(page.getByText(words.codeMissing)).toBeHidden()
    })

  test('who does not want to hear of it goes on; a page whose code comes after all opens', async ({
    page,
    server,
  }) => {
    await page.route('**/assets/WalletPage-*.js', (route) => route.fulfill({ status: 404, body: '' }))
    await arriveHome(page, server)
    await expect(page.getByText(words.codeMissing)).toBeVisible()
    await pressKey(page.getByRole('button', { name: words.updateLater }))
    await expect(page.getByText(words.codeMissing)).toBeHidden()
    await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
    await page.unrouteAll()
    await page.getByRole('button', { name: words.wallet }).click()
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  })
})

test('of two languages chosen at once the last one counts, everywhere', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Français' }).click()
  const release = await holdBack(page, '**/assets/en-*.js')
  const asked = page.waitForRequest('**/assets/en-*.js')
  await page.getByRole('button', { name: 'English' }).click()
  await asked
  await page.getByRole('button', { name: 'Français' }).click()
  const answered = page.waitForResponse('**/assets/en-*.js')
  release()
  await (await answered).finished()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await page.reload()
  await expect(page.getByRole('button', { name: words.createInstead })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
})
