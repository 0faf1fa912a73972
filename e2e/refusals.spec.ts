import { BROKEN_CALLS, CRASH_OR_BROKEN_CALLS, expect, test } from './fixtures.ts'
import { blockStorage, crash, holdBack } from './steps/faults.ts'
import { pressKey } from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import {
  CARDS,
  confirmByKey,
  confirmForm,
  fillTransfer,
  openCoupon,
  payButton,
  typeCard,
} from './steps/transfer.ts'
import { arriveHome, fillSignUp, signIn, signOut, signUp, speak } from './steps/waysIn.ts'
import { WORDS } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALLS] })

const words = WORDS.fr
const SAID = {
  fr: {
    tooMany: 'Trop de tentatives',
    paused: 'Vos paiements sont suspendus pour l’instant',
    tooManyDeclines: /attendez 23\sheures/,
    closed: 'Les paiements sont fermés pour le moment',
    couponEnded: 'Ce code promo n’est plus valable, et rien n’a été débité.',
    notCharged: 'Votre carte n’a pas été débitée',
    crash: {
      about: 'ne payez pas une seconde fois avant d’en connaître le résultat.',
      reopen: 'Rouvrir l’application',
    },
  },
  en: {
    tooMany: 'Too many attempts',
    paused: 'Your payments are paused for now',
    tooManyDeclines: 'wait 23 hours',
    closed: 'Payments are closed for now',
    couponEnded: 'This promo code is no longer valid, and nothing was charged.',
    notCharged: 'Your card was not charged',
    crash: {
      about: 'do not pay a second time until you know its result.',
      reopen: 'Reopen the app',
    },
  },
}
const TYPED = { amount: '100', phone: '+224 620 00 00 00' }

test.describe('signing up and in', () => {
  test('each field says what it lacks, and nothing typed is lost @spec-sign-up-errors', async ({ page }) => {
    await speak(page, 'fr')
    await page.getByRole('button', { name: words.createInstead }).click()
    await page.getByLabel(words.email).fill('aissatou@')
    await page.getByLabel(words.password, { exact: true }).fill('court')
    await page.getByRole('button', { name: words.createAccount }).click()
    await expect(page.getByText('Saisissez votre nom complet')).toBeVisible()
    await expect(page.getByText('Saisissez une adresse e-mail valide.')).toBeVisible()
    await expect(page.getByText('Le mot de passe doit contenir au moins 6 caractères.')).toBeVisible()
    await expect(page.getByLabel(words.name)).toBeFocused()
    await expect(page.getByLabel(words.email)).toHaveValue('aissatou@')
    await expect(page.getByLabel(words.password, { exact: true })).toHaveValue('court')
  })

  test('who signs in is asked for the whole password, and not told the rule for new ones', async ({
    page,
  }) => {
    await speak(page, 'fr')
    for (const typed of ['', 'court']) {
      await page.getByLabel(words.email).fill('aissatou@example.com')
      await page.getByLabel(words.password, { exact: true }).fill(typed)
      await page.getByRole('button', { name: words.signIn }).click()
      await expect(page.getByText('Saisissez votre mot de passe en entier.')).toBeVisible()
      await expect(page.getByText('Le mot de passe doit contenir')).toBeHidden()
    }
  })

  test('an address that has an account already, and a wrong password @spec-wrong-credentials', async ({
    page,
  }) => {
    const person = somebody()
    await speak(page, 'fr')
    await signUp(page, words, person)
    await page.getByRole('button', { name: words.backToSignIn }).click()
    await fillSignUp(page, words, person)
    await page.getByRole('button', { name: words.createAccount }).click()
    await expect(page.getByText('Cette adresse e-mail a déjà un compte. Connectez-vous.')).toBeVisible()

    await page.getByRole('button', { name: words.signIn }).click()
    await page.getByLabel(words.password, { exact: true }).fill('pas-le-bon')
    await page.getByRole('button', { name: words.signIn }).click()
    await expect(page.getByText('Adresse e-mail ou mot de passe incorrect.')).toBeVisible()
    await expect(page.getByLabel(words.email)).toHaveValue(person.email)
  })

  test('an unknown address leads to the sign-up with the address carried over @spec-unknown-address', async ({
    page,
  }) => {
    const person = somebody()
    await speak(page, 'fr')
    await signIn(page, words, person)
    await expect(page.getByText('Aucun compte avec cette adresse e-mail.')).toBeVisible()
    await expect(page.getByRole('button', { name: words.createAccount })).toBeVisible()
    await expect(page.getByLabel(words.email)).toHaveValue(person.email)
    expect(new URL(page.url()).searchParams.get('email')).toBe(person.email)
    expect(new URL(page.url()).searchParams.get('tab')).toBe('email')
  })

  test('a forgotten password wants an address, then sends a mail @spec-password-reset-address', async ({
    page,
    server,
  }) => {
    const person = somebody()
    await speak(page, 'fr')
    await page.getByRole('button', { name: 'Mot de passe oublié ?' }).click()
    await expect(page.getByText('Veuillez entrer votre adresse e-mail')).toBeVisible()
    await signUp(page, words, person)
    await page.getByRole('button', { name: words.backToSignIn }).click()
    await page.getByLabel(words.email).fill(person.email)
    await page.getByRole('button', { name: 'Mot de passe oublié ?' }).click()
    await expect(page.getByText('Si un compte existe à cette adresse')).toBeVisible()
    expect(await server.mailLink(person.email)).toContain('mode=resetPassword')
  })
})

test('a browser that keeps nothing says so, and lets people in for as long as the page is open', async ({
  page,
  server,
  language,
  words,
}) => {
  const person = somebody()
  await server.register(person)
  await blockStorage(page)
  await speak(page, language)
  await expect(page.getByText(words.storageBlocked)).toBeVisible()
  await signIn(page, words, person)
  await expect(page.getByRole('heading', { name: words.send })).toBeVisible()
  await page.reload()
  // Not even the language is kept.
  await expect(page.getByText(WORDS.fr.storageBlocked)).toBeVisible()
})

test('the transfer form says what is wrong with each field, and loses nothing @spec-form-errors', async ({
  page,
  server,
}) => {
  await arriveHome(page, server)
  const amount = page.getByLabel(words.amount)
  const phone = page.getByLabel(words.phone)
  const coupon = await openCoupon(page, words)
  const ROWS = [
    { field: amount, typed: '', said: 'Saisissez un montant valide' },
    { field: amount, typed: '1,234', said: 'Saisissez un montant valide' },
    { field: amount, typed: '1e3', said: 'Saisissez un montant valide' },
    { field: amount, typed: '-50', said: 'Saisissez un montant valide' },
    { field: amount, typed: '9,99', said: 'Le montant minimum par transfert est de 10 €' },
    { field: amount, typed: '500,01', said: 'Le montant maximum par transfert est de 500 €' },
    { field: phone, typed: '', said: 'Saisissez un numéro de téléphone' },
    {
      field: phone,
      typed: '+224 62',
      said: 'Saisissez un numéro de téléphone valide (par exemple +224 620 00 00 00)',
    },
    { field: phone, typed: '+44', said: 'Pays de destination non pris en charge' },
    { field: phone, typed: '+33 6 12 34 56 78', said: 'Le numéro doit commencer par +224 pour la Guinée' },
    { field: phone, typed: '+44 7911 123456', said: 'Pays de destination non pris en charge' },
    { field: coupon, typed: '!', said: 'Format de code promo invalide' },
  ]
  for (const { field, typed, said } of ROWS) {
    await field.fill(typed)
    await field.blur()
    await expect(page.getByText(said.replace(/ €/, '\u00a0€'))).toBeVisible()
    await expect(field).toHaveValue(typed)
  }
  // What can't be part of an amount can't be typed.
  await amount.fill('')
  await amount.pressSequentially('-1e+2')
  await expect(amount).toHaveValue('12')
})

test('a declined card leaves the form as it was @spec-declined', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await fillTransfer(page, words, TYPED)
  for (const [card, said] of [
    [CARDS.declined, 'La banque a refusé la carte.'],
    [CARDS.noFunds, 'Le solde de la carte est insuffisant.'],
  ] as const) {
    await confirmForm(page, words)
    await typeCard(page, words, card)
    await payButton(page, words).click()
    await expect(page.getByText('Le paiement a échoué')).toBeInViewport()
    await expect(page.getByText(said)).toBeInViewport()
    await expect(page.getByLabel(words.amount)).toHaveValue(TYPED.amount)
    await expect(page.getByLabel(words.phone)).toHaveValue(TYPED.phone)
    await expect(page.getByLabel(words.confirmPhone)).toBeChecked()
  }
  expect(await server.transactionsOf(person.email)).toEqual([])

  await confirmForm(page, words)
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  await expect(page.getByText(words.paid)).toBeVisible()
  expect(await server.paymentIntentsOf(person.email)).toHaveLength(1)
  expect(await server.transactionsOf(person.email)).toHaveLength(1)
})

test('what the server refuses for a reason of its own says that nothing was charged', async ({
  page,
  server,
  language,
  words,
}) => {
  const person = await arriveHome(page, server, language)
  await fillTransfer(page, words, { amount: '100' })
  const refuse = (code: string, status: number, details: object) =>
    page.route('**/create-payment-intent', (route) =>
      route.fulfill({ status, json: { code, error: 'Of the server', message: 'Of the server', details } }),
    )
  for (const [code, status, said] of [
    ['tooManyRequests', 429, SAID[language].tooMany],
    ['paymentsPaused', 403, SAID[language].paused],
    ['tooManyDeclines', 429, SAID[language].tooManyDeclines],
    ['paymentsClosed', 503, SAID[language].closed],
  ] as const) {
    await refuse(code, status, { retryAfterSeconds: 82_000 })
    const pay = await confirmByKey(page, words)
    await expect(page.getByText(said)).toBeInViewport()
    await expect(page.getByText(SAID[language].notCharged)).toBeInViewport()
    // It lost the focus while it was busy.
    await expect(pay).toBeFocused()
    await expect(page.getByText('Of the server')).toBeHidden()
    await expect(page.getByLabel(words.amount)).toHaveValue('100')
    await page.unrouteAll()
  }
  expect(await server.paymentIntentsOf(person.email)).toEqual([])

  // What is wrong with a field is said at the field, and what was typed stays there.
  const coupon = await openCoupon(page, words)
  await coupon.fill('Zéro')
  await refuse('couponEnded', 409, {})
  await confirmForm(page, words)
  await expect(coupon).toBeFocused()
  await expect(coupon).toHaveAccessibleDescription(new RegExp(SAID[language].couponEnded))
  await expect(coupon).toHaveValue('Zéro')
  await expect(page.getByTestId('quote')).toContainText(/3,00|3\.00/)
  await page.unrouteAll()
  await coupon.fill('')
  await confirmForm(page, words)
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  await expect(page.getByText(words.paid)).toBeVisible()
  expect(await server.paymentIntentsOf(person.email)).toHaveLength(1)
})

test('a card that is not filled in keeps the payment sheet open', async ({ page, server }) => {
  await arriveHome(page, server)
  await fillTransfer(page, words, TYPED)
  await confirmForm(page, words)
  await expect(payButton(page, words)).toBeEnabled()
  await payButton(page, words).click()
  await expect(page.getByText('Vérifiez les champs de la carte')).toBeVisible()
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  await expect(page.getByText(words.paid)).toBeVisible()
})

test.describe('3-D Secure', () => {
  test('is asked for, and the payment goes on @spec-3d-secure', async ({ page, server }) => {
    const person = await arriveHome(page, server)
    await fillTransfer(page, words, TYPED)
    await confirmForm(page, words)
    await typeCard(page, words, CARDS.threeDSecure)
    const confirmed = page.waitForRequest('**/v1/payment_intents/*/confirm')
    await payButton(page, words).click()
    const sent = new URLSearchParams((await confirmed).postData() ?? '')
    expect(sent.get('return_url')).toBe(`${server.origin}/payment-complete`)
    await page
      .frameLocator('dialog iframe')
      .getByRole('button', { name: 'Terminer l’authentification' })
      .click()
    await expect(page.getByText(words.paid)).toBeVisible()
    expect(await server.transactionsOf(person.email)).toHaveLength(1)
  })

  test('refused: nothing is charged and the form is kept', async ({ page, server }) => {
    const person = await arriveHome(page, server)
    await fillTransfer(page, words, TYPED)
    await confirmForm(page, words)
    await typeCard(page, words, CARDS.threeDSecure)
    await payButton(page, words).click()
    await page.frameLocator('dialog iframe').getByRole('button', { name: 'Refuser' }).click()
    await expect(page.getByText('L’authentification par votre banque n’a pas abouti.')).toBeVisible()
    await expect(page.getByLabel(words.amount)).toHaveValue(TYPED.amount)
    expect(await server.transactionsOf(person.email)).toEqual([])
  })
})

test('the monthly cap is explained with what is left', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  for (const amount of ['500', '450']) {
    await fillTransfer(page, words, { ...TYPED, amount })
    await confirmForm(page, words)
    await typeCard(page, words, CARDS.good)
    await payButton(page, words).click()
    await page.getByRole('button', { name: words.done }).click()
  }
  await fillTransfer(page, words, TYPED)
  await confirmForm(page, words)
  await expect(page.getByText('Plafond mensuel atteint')).toBeInViewport()
  await expect(page.getByText(/Il vous reste 50,00\s€/)).toBeVisible()
  expect(await server.paymentIntentsOf(person.email)).toHaveLength(2)

  // The button offers what is left, and pays nothing before that stands in the form.
  await page.getByRole('button', { name: /^Choisir plutôt 50,00\s€$/ }).click()
  await expect(page.getByLabel(words.amount)).toHaveValue('50')
  await expect(page.getByText('Plafond mensuel atteint')).toBeHidden()
  expect(await server.paymentIntentsOf(person.email)).toHaveLength(2)
  await page.getByRole('button', { name: /^Payer 50,00\s€$/ }).click()
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  await page.getByRole('button', { name: words.done }).click()

  // Of what is left nothing can be sent: the button is closed until the form has changed.
  await fillTransfer(page, words, { ...TYPED, amount: '20' })
  const pay = await confirmByKey(page, words)
  await expect(page.getByText(/Il vous reste 0,00\s€/)).toBeVisible()
  await expect(pay).toHaveText(/^Payer 20,00\s€$/)
  await expect(pay).toBeDisabled()
  await expect(pay).toBeFocused()
})

test('going back from the card gives the amount back', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await fillTransfer(page, words, { ...TYPED, amount: '500' })
  await confirmForm(page, words)
  await expect(payButton(page, words)).toBeEnabled()
  await page.getByRole('button', { name: 'Revenir au transfert' }).click()
  await expect(page.getByRole('button', { name: words.pay })).toBeEnabled()
  await expect.poll(async () => (await server.paymentIntentsOf(person.email))[0]?.status).toBe('canceled')
  await expect
    .poll(() => server.ledgersOf(person.email))
    .toMatchObject([{ recordedCents: 0, reservedCents: 0, reservedSlots: 0 }])
})

test('without a network nothing is sent, and the form is kept', async ({ page, server, context }) => {
  const person = await arriveHome(page, server)
  await fillTransfer(page, words, TYPED)
  // The form's code is here.
  await expect(page.getByRole('main').getByRole('button', { name: words.pay })).toBeEnabled()
  await context.setOffline(true)
  const pay = await confirmByKey(page, words)
  await expect(page.getByText('Vous êtes hors ligne')).toBeInViewport()
  await expect(page.getByLabel(words.amount)).toHaveValue(TYPED.amount)
  await expect(pay).toBeDisabled()
  await expect(pay).toBeFocused()
  await context.setOffline(false)
  await expect(page.getByText('Vous êtes hors ligne')).toBeHidden()
  await expect(pay).toBeEnabled()
  expect(await server.paymentIntentsOf(person.email)).toEqual([])
})

test.describe('a bad network while signing up', () => {
  test('a sign-up that was cut off between account and profile can be taken up again @spec-sign-up-resumed', async ({
    page,
    server,
  }) => {
    const person = somebody()
    await speak(page, 'fr')
    await fillSignUp(page, words, person)
    await page.route('**/documents:commit**', (route) => route.abort())
    await page.route('**/accounts:delete**', (route) => route.abort())
    await page.getByRole('button', { name: words.createAccount }).click()
    await expect(
      page.getByText('Pas de réponse du réseau. Vérifiez votre connexion, puis réessayez.'),
    ).toBeVisible()
    await expect(page.getByLabel(words.email)).toHaveValue(person.email)

    await page.unrouteAll()
    await page.getByRole('button', { name: words.createAccount }).click()
    await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
    expect(await server.documents('users', 'email', person.email)).toMatchObject([{ name: person.name }])
  })
})

test('a name is text wherever it stands', async ({ page, server }) => {
  const person = { ...somebody(), name: '\u202eAwa <0>Ba</0> {x} 🙂 Diallo' }
  await speak(page, 'fr')
  await signUp(page, words, person)
  await page.goto(await server.mailLink(person.email))
  await page.getByRole('link', { name: 'Continuer' }).click()
  await expect(page.getByText('AWA <0>BA</0> {X} 🙂 DIALLO')).toBeVisible()
  expect(await server.documents('users', 'email', person.email)).toMatchObject([
    { name: 'Awa <0>Ba</0> {x} 🙂 Diallo' },
  ])
})

test('a receipt whose code can not be fetched says so, and can be asked for again', async ({
  page,
  server,
}) => {
  await arriveHome(page, server)
  await page.route('**/assets/receiptPdf*', (route) => route.abort())
  await fillTransfer(page, words, TYPED)
  await confirmForm(page, words)
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  await page.getByRole('button', { name: words.download }).click()
  await expect(page.getByText('Le fichier n’a pas pu être créé.')).toBeVisible()
})

test('whom the database does not answer is told so, and can try again', async ({
  page,
  server,
  language,
  words,
}) => {
  const person = somebody()
  await server.register(person)
  await page.clock.install()
  const answer = await holdBack(page, '**/documents**')
  await speak(page, language)
  const asked = page.waitForRequest('**/documents**')
  await signIn(page, words, person)
  await asked
  await page.clock.runFor(30_000)
  await expect(page.getByText(words.startFailed)).toBeVisible()
  answer()
  await page.getByRole('button', { name: words.retry }).click()
  await expect(page.getByRole('heading', { name: words.send })).toBeVisible()
})

test.describe('what was not foreseen', () => {
  test.use({ expectedErrors: [CRASH_OR_BROKEN_CALLS] })

  test('a screen that can not be drawn says what to do, and opens again', async ({
    page,
    server,
    language,
    words,
  }) => {
    await arriveHome(page, server, language)
    await crash(page, words)
    const { about, reopen } = SAID[language].crash
    await expect(page.getByRole('heading', { level: 1, name: words.crashed })).toBeVisible()
    await expect(page.getByText(about)).toBeVisible()
    await page.getByRole('button', { name: reopen }).click()
    await expect(page.getByRole('heading', { name: words.send })).toBeVisible()
  })

  test('code that the network cut off while somebody signs in is fetched again', async ({
    page,
    server,
    language,
    words,
  }) => {
    const person = await arriveHome(page, server, language)
    await signOut(page, words)
    await page.goto('about:blank')
    await page.route('**/assets/Home-*.js', (route) => route.abort(), { times: 1 })
    await page.goto('/')
    await signIn(page, words, person)
    await expect(page.getByRole('heading', { name: words.send })).toBeVisible()
  })

  test('so are its styles: no screen comes without them', async ({ page, server, language, words }) => {
    const person = somebody()
    await server.register(person)
    await page.route('**/assets/Home-*.css', (route) => route.abort(), { times: 2 })
    await speak(page, language)
    await signIn(page, words, person)
    await expect(page.getByRole('heading', { name: words.send })).toBeVisible()
    await expect(page.getByRole('main')).toHaveCSS('display', 'grid')
  })

  for (const kind of ['js', 'css'])
    test(`${kind} that a new version took away is asked for in vain: the app says what to do, and opens again`, async ({
      page,
      server,
      language,
      words,
    }) => {
      const person = somebody()
      await server.register(person)
      await page.route(`**/assets/Home-*.${kind}`, (route) => route.fulfill({ status: 404, body: '' }))
      await speak(page, language)
      await signIn(page, words, person)
      const { about, reopen } = SAID[language].crash
      await expect(page.getByText(words.codeMissing)).toBeVisible()
      await expect(page.getByRole('alert').getByText(about)).toBeVisible()
      await page.unrouteAll()
      await page.getByRole('button', { name: reopen }).click()
      await expect(page.getByRole('heading', { name: words.send })).toBeVisible()
      await expect(page.getByText(words.codeMissing)).toBeHidden()
    })

  test('who does not want to hear of it goes on; a page whose code comes after all opens', async ({
    page,
    server,
    language,
    words,
  }) => {
    await page.route('**/assets/WalletPage-*.js', (route) => route.fulfill({ status: 404, body: '' }))
    await arriveHome(page, server, language)
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
