import { expect, sceneTest, test } from './fixtures.ts'
import { contactWords, pressInSheet, sheet } from './steps/contacts.ts'
import { formatAmountText, formatPriceText } from './steps/moneyTexts.ts'
import { expectHome, openFromMenu, openSetting } from './steps/pages.ts'
import { openScene } from './steps/scenes.ts'
import {
  openPhoneSignUp,
  pressInPanel,
  registerAndOpenHome,
  registerAndOpenSignIn,
  signInPanel,
  waitForSentCode,
} from './steps/signIn.ts'
import { fillTransfer, typeCoupon } from './steps/transfer.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

const said = defineTexts({
  overseas: 'Nous ne pouvons pas envoyer d’argent vers la France d’outre-mer.',
  question: 'Est-ce bien ce numéro ?',
  noMobile: 'Aucun numéro de mobile français ne commence ainsi. Relisez chaque chiffre.',
})

sceneTest(
  'overseas numbers are refused, and unassigned mobiles must be confirmed @spec-overseas',
  async ({ page }) => {
    await openScene(page, 'home-empty')
    const pay = page.getByRole('main').getByRole('button', { name: words.pay })
    await page.getByLabel(words.country).selectOption('FR')
    for (const phone of ['0692 12 34 56', '+33 6 39 12 34 56', '0690.12.34.56', '+596 696 12 34 56']) {
      await fillTransfer(page, { amount: '100', phone })
      await pay.click()
      await expect(page.getByLabel(words.phone)).toHaveAccessibleDescription(said.overseas)
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await fillTransfer(page, { amount: '100', phone: '0700 12 34 56' })
    await expect(page.getByText(said.overseas)).toBeHidden()
    await expect(page.getByText(said.question)).toBeVisible()
    await expect(page.getByText(said.noMobile)).toBeVisible()
    await expect(pay).toBeDisabled()
  },
)

sceneTest(
  'pasted values with invisible characters or foreign digits are accepted @spec-pasted',
  async ({ page }) => {
    await openScene(page, 'home-empty')
    await fillTransfer(page, { amount: `\u200e${formatPriceText(5000)}`, phone: '\u202a٦٢٠ ٠٠ ٠٠ ٠٠\u202c' })
    await expect(page.getByLabel(words.phone)).toHaveValue('+224 620 00 00 00')
    await expect(page.getByRole('main').getByRole('button', { name: words.pay })).toBeEnabled()
    await typeCoupon(page, 'ZE\u200bRO')
    await expect(page.getByTestId('quote').getByRole('button')).toContainText(formatAmountText(0))
  },
)

test('an overseas sign-up uses its prefix and finds pasted codes @spec-overseas @spec-pasted @all', async ({
  page,
  server,
}) => {
  const number = `0692${String(Date.now()).slice(-6)}`
  const phone = `+262${number.slice(1)}`
  await openPhoneSignUp(page)
  await signInPanel(page).getByLabel(words.name).fill('Awa Bah')
  const field = signInPanel(page).getByLabel(words.phoneNumber)
  await field.fill(number)
  await field.blur()
  await expect(field).toHaveValue(phone.replace(/^(\+262)(...)(..)(..)(..)$/, '$1 $2 $3 $4 $5'))
  await pressInPanel(page, words.getCode)
  await expect(signInPanel(page).getByText(words.codeSent)).toBeVisible()
  const code = await waitForSentCode(page, server, { phone })
  await signInPanel(page)
    .getByLabel(words.code)
    .fill(`\u200e${code.slice(0, 3)}-${code.slice(3)} is your verification code for Passerelle.`)
  await pressInPanel(page, words.createAccount)
  await expectHome(page)
  expect(await server.documents('users', 'phone', phone)).toMatchObject([{ name: 'Awa Bah' }])
})

sceneTest('contacts and profile show the prefix of overseas France @spec-overseas @all', async ({ page }) => {
  await openScene(page, 'contacts-empty')
  await page.getByRole('button', { name: contactWords.add }).click()
  await sheet(page).getByLabel(words.phoneNumber).fill('0696 12 34 56')
  await sheet(page).getByLabel(words.phoneNumber).blur()
  await expect(sheet(page).getByLabel(words.phoneNumber)).toHaveValue('+596 696 12 34 56')

  await openScene(page, 'profile')
  const own = await openSetting(page, words.yourPhone)
  await own.getByLabel(words.phoneNumber).fill('0694 12 34 56')
  await own.getByLabel(words.phoneNumber).blur()
  await expect(own.getByLabel(words.phoneNumber)).toHaveValue('+594 694 12 34 56')
})

test('the contacts’ form asks which of several numbers is meant', async ({ page, server }) => {
  await page.addInitScript(() => {
    const entry = { name: ['Élodie'], tel: ['*144#', '622 12 34 56', '+33 6 12 34 56 78'] }
    const select = async (...asked: unknown[]) => {
      Object.assign(window, { asked })
      return [entry]
    }
    Object.assign(navigator, { contacts: { select } })
  })
  const person = await registerAndOpenHome(page, server)
  await openFromMenu(page, words.contacts)
  await page.getByRole('button', { name: contactWords.add }).click()
  const question = sheet(page).getByRole('group', { name: contactWords.whichNumber })
  const field = sheet(page).getByLabel(words.phoneNumber)
  await pressInSheet(page, contactWords.fromAddressBook)
  await expect(question.getByRole('button')).toHaveText([
    /^\+224 622 12 34 56/,
    /^\+33 6 22 12 34 56/,
    /^\+33 6 12 34 56 78/,
  ])
  expect(await page.evaluate(() => Reflect.get(window, 'asked'))).toEqual([
    ['name', 'tel'],
    { multiple: false },
  ])
  await question.getByRole('button').last().click()
  await expect(question).toBeHidden()
  await expect(field).toHaveValue('+33 6 12 34 56 78')
  await field.fill('224 622 12 34')
  await pressInSheet(page, contactWords.save)
  await expect(question.getByRole('button')).toHaveText([/^\+1 224 622 1234/, /^\+224 622 12 34/])
  expect(await server.documents('contacts', 'userId', person.uid)).toEqual([])
})

sceneTest('the transfer form asks about a pasted text with two numbers', async ({ page }) => {
  await openScene(page, 'home-empty')
  await page.getByLabel(words.phone).fill('06 12 34 56 78 ou 628 11 22 33')
  await page.getByLabel(words.phone).blur()
  const question = page.getByRole('group', { name: contactWords.whichNumber })
  await expect(question.getByRole('button')).toHaveText([/^\+224 628 11 22 33/, /^\+33 6 12 34 56 78/])
  await question.getByRole('button').first().click()
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 628 11 22 33')
  await expect(question).toBeHidden()
})

test('an email address pasted with invisible characters opens its account @spec-pasted @all', async ({
  page,
  server,
}) => {
  const person = await registerAndOpenSignIn(page, server)
  await signInPanel(page)
    .getByLabel(words.email)
    .evaluate((field: HTMLInputElement) => field.setAttribute('type', 'text'))
  await signInPanel(page).getByLabel(words.email).fill(`\u202a${person.email}\u202c`)
  await signInPanel(page).getByLabel(words.password, { exact: true }).fill(person.password)
  await pressInPanel(page, words.signIn)
  await expectHome(page)
})
