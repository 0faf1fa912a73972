import { getNextMonthStart } from '../domain/common/month.ts'
import { SCENE_TIME } from '../scenes/scene.ts'
import { BROKEN_CALL_ERRORS, CRASH_OR_BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { blockStorage, breakMethod, crashForm, crashHomeScreen, delayRequests } from './steps/faults.ts'
import { formatAmountText, formatDayText, formatPriceText, getMoneyText, refuse } from './steps/moneyTexts.ts'
import { expectHome, pressKey } from './steps/pages.ts'
import { openScene, releaseCode, setResponse } from './steps/scenes.ts'
import {
  chooseLanguageInOtherTab,
  registerAndOpenHome,
  registerAndOpenSignIn,
  signIn,
} from './steps/signIn.ts'
import {
  activityRows,
  CARD_NUMBERS,
  closePrice,
  confirmByKey,
  confirmForm,
  fillTransfer,
  openCardForm,
  openCoupon,
  payAndExpectReceipt,
  payButton,
  payWithCard,
  receiptSheet,
  typeCard,
} from './steps/transfer.ts'
import { defineTexts, getText, setTestLanguage } from './texts.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const said = defineTexts({
  advice: 'Si un paiement était en cours, ne payez pas une seconde fois avant d’en connaître le résultat.',
  reopen: 'Rouvrir l’application',
  paidAlready: 'Ce paiement est fait : ne payez pas une seconde fois.',
})
/** `left`: remaining amount in EUR cents. */
const capLeft = (left: number) =>
  getMoneyText(
    'Vous pouvez envoyer {cap} par mois. Il vous reste {left} ; un nouveau mois commence le {date}. Votre carte n’a pas été débitée.',
    { left: formatAmountText(left), date: formatDayText(getNextMonthStart(SCENE_TIME)) },
  )

const TYPED = { amount: '100', phone: '+224 620 00 00 00' }

sceneTest('an invalid sign-up field shows its error and stays @spec-sign-up-errors', async ({ page }) => {
  await openScene(page, 'sign-up')
  await page.getByLabel(words.email).fill('aissatou@')
  await page.getByLabel(words.password, { exact: true }).fill('court')
  await page.getByRole('button', { name: words.createAccount }).click()
  await expect(page.getByText(words.nameWanted)).toBeVisible()
  await expect(page.getByText(getText('Saisissez une adresse e-mail valide.'))).toBeVisible()
  await expect(page.getByText(words.passwordTooShort)).toBeVisible()
  await expect(page.getByLabel(words.name)).toBeFocused()
  await expect(page.getByLabel(words.email)).toHaveValue('aissatou@')
  await expect(page.getByLabel(words.password, { exact: true })).toHaveValue('court')
})

sceneTest('a sign-in’s short password does not show the sign-up’s rule', async ({ page }) => {
  await openScene(page, 'sign-in')
  for (const typed of ['', 'court']) {
    await page.getByLabel(words.email).fill('aissatou@example.com')
    await page.getByLabel(words.password, { exact: true }).fill(typed)
    await page.getByRole('button', { name: words.signIn }).click()
    await expect(page.getByText(getText('Saisissez votre mot de passe en entier.'))).toBeVisible()
    await expect(
      page.getByText(getText('Le mot de passe doit contenir au moins {PASSWORD_MIN_LENGTH} caractères.')),
    ).toBeHidden()
  }
})

test('blocked storage is reported, and a session lasts until reload', async ({ page, server }) => {
  await blockStorage(page)
  const person = await registerAndOpenSignIn(page, server)
  await expect(page.getByText(words.storageBlocked)).toBeVisible()
  await signIn(page, person)
  await expectHome(page)
  await page.reload()
  // The reload also resets the language, which was not stored.
  setTestLanguage('fr')
  await expect(page.getByText(words.storageBlocked)).toBeVisible()
})

sceneTest('each field of the transfer form shows its error @spec-form-errors', async ({ page }) => {
  await openScene(page, 'home-empty')
  const amountField = page.getByLabel(words.amount)
  const phone = page.getByLabel(words.phone)
  const noCountry = getText('Pays de destination non pris en charge')
  for (const [field, typed, text] of [
    ...['', '1,234', '1e3', '-50'].map(
      (wrong) => [amountField, wrong, getText('Saisissez un montant valide')] as const,
    ),
    [
      amountField,
      '9,99',
      getText('Le montant minimum par transfert est de {min}', { min: formatPriceText(1000) }),
    ],
    [
      amountField,
      '500,01',
      getText('Le montant maximum par transfert est de {max}', { max: formatPriceText(50_000) }),
    ],
    [phone, '', words.phoneWanted],
    [
      phone,
      '+224 62',
      getText('Saisissez un numéro de téléphone valide (par exemple {example})', {
        example: '+224 620 00 00 00',
      }),
    ],
    [phone, '+44', noCountry],
    [
      phone,
      '+33 6 12 34 56 78',
      getText('Le numéro doit commencer par {prefix} pour {country}', {
        prefix: '+224',
        country: 'la Guinée',
      }),
    ],
    [phone, '+44 7911 123456', noCountry],
  ] as const) {
    await field.fill(typed)
    await field.blur()
    await expect(page.getByText(text)).toBeVisible()
    await expect(field).toHaveValue(typed)
  }
  const coupon = await openCoupon(page)
  await coupon.fill('!')
  await coupon.blur()
  await expect(page.getByText(words.couponWrong)).toBeVisible()
  await closePrice(page)
  await amountField.fill('')
  await amountField.pressSequentially('-1e+2')
  await expect(amountField).toHaveValue('12')
})

test('a declined card leaves the form as it was @spec-declined', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, TYPED)
  for (const [card, reason] of [
    [CARD_NUMBERS.declined, 'La banque a refusé la carte.'],
    [CARD_NUMBERS.noFunds, 'Le solde de la carte est insuffisant.'],
  ] as const) {
    await confirmForm(page)
    await payWithCard(page, card)
    await expect(page.getByText(words.declined)).toBeInViewport()
    await expect(page.getByText(getText(reason))).toBeInViewport()
    await expect(page.getByLabel(words.amount)).toHaveValue(TYPED.amount)
    await expect(page.getByLabel(words.phone)).toHaveValue(TYPED.phone)
    await expect(page.getByLabel(words.confirmPhone)).toBeChecked()
  }
  expect(await server.readTransactions(person.email)).toEqual([])

  await confirmForm(page)
  await payAndExpectReceipt(page)
  expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
  expect(await server.readTransactions(person.email)).toHaveLength(1)
})

test('only a passed 3-D Secure check records a payment @spec-3d-secure', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  const bank = page.frameLocator('dialog iframe')
  await fillTransfer(page, TYPED)
  // Going back from the card form releases the reserved amount.
  await openCardForm(page)
  await page.getByRole('button', { name: words.close, exact: true }).click()
  await expect(page.getByRole('button', { name: words.pay })).toBeEnabled()
  await expect.poll(async () => (await server.listPaymentIntents(person.email))[0]?.status).toBe('canceled')
  await expect
    .poll(() => server.readLedgers(person.email))
    .toMatchObject([{ recordedCents: 0, reservedCents: 0, reservedSlots: 0 }])
  await confirmForm(page)
  await payWithCard(page, CARD_NUMBERS.threeDSecure)
  await bank.getByRole('button', { name: words.refuseAuthentication }).click()
  await expect(page.getByText(getText('L’authentification par votre banque n’a pas abouti.'))).toBeVisible()
  await expect(page.getByLabel(words.amount)).toHaveValue(TYPED.amount)
  expect(await server.readTransactions(person.email)).toEqual([])

  await confirmForm(page)
  await typeCard(page, CARD_NUMBERS.threeDSecure)
  const confirmed = page.waitForRequest('**/v1/payment_intents/*/confirm')
  await payButton(page).click()
  const sent = new URLSearchParams((await confirmed).postData() ?? '')
  expect(sent.get('return_url')).toBe(`${server.origin}/payment-complete`)
  await bank.getByRole('button', { name: words.authenticate }).click()
  await expect(page.getByText(words.paid)).toBeVisible()
  expect(await server.readTransactions(person.email)).toHaveLength(1)
})

sceneTest('the cap’s refusal shows what is left, and offers it', async ({ page }) => {
  const refuseCap = (leftCents: number) => {
    const details = { leftCents, resetsAt: getNextMonthStart(SCENE_TIME) }
    return setResponse(page, 'functions.create-payment-intent', refuse('monthlyCapExceeded', details))
  }
  const getPayText = (cents: number) => getText('Payer {gross}', { gross: formatAmountText(cents) })
  await openScene(page, 'home-filled')
  await refuseCap(5000)
  await confirmForm(page)
  await expect(page.getByText(words.capReached)).toBeInViewport()
  await expect(page.getByText(capLeft(5000))).toBeVisible()
  const lower = getText('Choisir plutôt {lowerAmount}', { lowerAmount: formatAmountText(5000) })
  await page.getByRole('button', { name: lower }).click()
  await expect(page.getByLabel(words.amount)).toHaveValue('50')
  await expect(page.getByText(words.capReached)).toBeHidden()
  await expect(page.getByRole('button', { name: getPayText(5000) })).toBeEnabled()

  // The remaining amount can't be sent, so the button is disabled until the form changes.
  await page.getByLabel(words.amount).fill('20')
  await refuseCap(0)
  const button = await confirmByKey(page)
  await expect(page.getByText(capLeft(0))).toBeVisible()
  await expect(button).toHaveText(getPayText(2000))
  await expect(button).toBeDisabled()
  await expect(button).toBeFocused()
})

test.describe('an unexpected failure', () => {
  test.use({ expectedErrors: [CRASH_OR_BROKEN_CALL_ERRORS] })

  test('a failed start or screen says what to do, and reopens', async ({ page, server }) => {
    const advice = page.getByText(said.advice, { exact: true })
    await page.route('**/v1/projects/**', (route) => route.abort())
    const person = await registerAndOpenSignIn(page, server)
    await signIn(page, person)
    await expect(page.getByText(words.startFailed)).toBeVisible()
    await expect(advice).toBeVisible()
    await page.unrouteAll()
    await page.getByRole('button', { name: words.retry }).click()
    await expectHome(page)
    await crashHomeScreen(page)
    await expect(page.getByRole('heading', { level: 1, name: words.crashed })).toBeVisible()
    await expect(advice).toBeVisible()
    await page.getByRole('button', { name: said.reopen }).click()
    await expectHome(page)
  })

  test('a style sheet that fails is requested again before its screen @all', async ({ page, server }) => {
    await page.route('**/assets/Home-*.css', (route) => route.abort(), { times: 2 })
    const person = await registerAndOpenSignIn(page, server)
    await signIn(page, person)
    await expectHome(page)
    await expect(page.getByRole('main')).toHaveCSS('display', 'grid')
  })
})

sceneTest('a missing chunk’s message can be dismissed; its page opens later', async ({ page }) => {
  await openScene(page, 'home-empty', { missingCode: 'Pages' })
  await expect(page.getByText(words.codeMissing)).toBeVisible()
  await pressKey(page.getByRole('button', { name: words.updateLater }))
  await expect(page.getByText(words.codeMissing)).toBeHidden()
  await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
  await releaseCode(page)
  await page.getByRole('button', { name: words.wallet }).click()
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
})

sceneTest.describe('a part that fails to render', () => {
  sceneTest.use({ expectedErrors: [/not foreseen/] })

  sceneTest('a sign-in card that fails to render can be retried', async ({ page }) => {
    await openScene(page, 'sign-in')
    await page.evaluate(() => {
      const { stringify } = JSON
      JSON.stringify = (value: { values?: { mode?: string } }, ...rest: []) => {
        if (value?.values?.mode) throw new Error('not foreseen')
        return stringify(value, ...rest)
      }
      Object.assign(window, { repair: () => Object.assign(JSON, { stringify }) })
    })
    await page.getByRole('tab', { name: words.phoneTab }).click()
    const broken = page.getByRole('alert').filter({ hasText: words.partBroken })
    await expect(broken).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate(() => (window as unknown as { repair: () => void }).repair())
    await page.getByRole('button', { name: words.retry }).click()
    await expect(page.getByRole('tab', { name: words.phoneTab })).toBeVisible()
    await expect(broken).toBeHidden()
  })

  sceneTest('a form that fails to render can be retried', async ({ page }) => {
    await openScene(page, 'home-empty')
    const repair = await crashForm(page)
    const broken = page.getByRole('alert').filter({ hasText: words.partBroken })
    await expect(broken).toContainText(said.advice)
    await page.getByRole('button', { name: words.menu }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: words.retry }).click()
    await expect(broken).toBeVisible()
    await repair()
    await page.getByRole('button', { name: words.retry }).click()
    await expect(page.getByLabel(words.amount)).toHaveValue('1')
    await expect(broken).toBeHidden()
  })

  sceneTest('a receipt that fails to render says that payment is made', async ({ page }) => {
    await openScene(page, 'home-activity')
    const repair = await breakMethod(page, 'DateTimeFormat', 'format')
    await activityRows(page).first().click()
    await expect(page.getByRole('alert').filter({ hasText: said.paidAlready })).toBeVisible()
    await repair()
    await page.getByRole('button', { name: words.retry }).last().click()
    await expect(receiptSheet(page)).toBeVisible()
    await expect(page.getByText(said.paidAlready)).toBeHidden()
  })
})

test('the last of two languages chosen in quick succession applies @all', async ({ page }) => {
  await page.goto('/')
  const release = await delayRequests(page, '**/assets/en-*.js')
  const asked = page.waitForRequest('**/assets/en-*.js')
  await page.getByRole('button', { name: 'English' }).click()
  await asked
  await chooseLanguageInOtherTab(page, 'fr')
  const answered = page.waitForResponse('**/assets/en-*.js')
  release()
  await (await answered).finished()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await page.reload()
  await expect(page.getByRole('button', { name: words.createInstead })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
})
