import { parseAddressBookEntry } from '../domain/people/contact.ts'
import { expect, sceneTest } from './fixtures.ts'
import { contactWords, pressInSheet, sheet } from './steps/contacts.ts'
import { formatAmountText, formatPriceText } from './steps/moneyTexts.ts'
import { createPerson } from './steps/person.ts'
import { openScene } from './steps/scenes.ts'
import { signIn } from './steps/signIn.ts'
import { fillTransfer, typeCoupon } from './steps/transfer.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

const said = defineTexts({
  overseas: 'Nous ne pouvons pas envoyer d’argent vers la France d’outre-mer.',
  question: 'Est-ce bien ce numéro ?',
  noMobile: 'Aucun numéro de mobile français ne commence ainsi. Relisez chaque chiffre.',
})

sceneTest('overseas numbers are refused, unassigned ones confirmed @spec-overseas', async ({ page }) => {
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
})

sceneTest('pasted invisible characters and foreign digits are accepted @spec-pasted', async ({ page }) => {
  await openScene(page, 'home-empty')
  await fillTransfer(page, { amount: `\u200e${formatPriceText(5000)}`, phone: '\u202a٦٢٠ ٠٠ ٠٠ ٠٠\u202c' })
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 620 00 00 00')
  await expect(page.getByRole('main').getByRole('button', { name: words.pay })).toBeEnabled()
  await typeCoupon(page, 'ZE\u200bRO')
  await expect(page.getByTestId('quote').getByRole('button')).toContainText(formatAmountText(0))

  const unknown = { failure: { kind: 'auth', code: 'user-not-found' } } as const
  await openScene(page, 'sign-in', { responses: { 'auth.signIn': unknown } })
  await page.getByLabel(words.email).evaluate((field) => field.setAttribute('type', 'text'))
  await signIn(page, { ...createPerson(), email: '\u202aawa@example.com\u202c' })
  const readAddress = () => page.evaluate(() => String(Reflect.get(window, 'sceneAddress')))
  await expect.poll(readAddress).toMatch(/&email=awa%40example\.com$/)
})

sceneTest('the contacts’ form asks which of several numbers is meant', async ({ page }) => {
  const tel = ['*144#', '622 12 34 56', '+33 6 12 34 56 78']
  const responses = {
    'addressBook.hasAddressBook': { value: true },
    'addressBook.chooseFromAddressBook': { value: parseAddressBookEntry({ name: ['Élodie'], tel }) },
  }
  await openScene(page, 'contacts-empty', { responses })
  await page.getByRole('button', { name: contactWords.add }).click()
  const question = sheet(page).getByRole('group', { name: contactWords.whichNumber })
  const field = sheet(page).getByLabel(words.phoneNumber)
  await pressInSheet(page, contactWords.fromAddressBook)
  await expect(question.getByRole('button')).toHaveText([
    /^\+224 622 12 34 56/,
    /^\+33 6 22 12 34 56/,
    /^\+33 6 12 34 56 78/,
  ])
  await question.getByRole('button').last().click()
  await expect(question).toBeHidden()
  await expect(field).toHaveValue('+33 6 12 34 56 78')
  await field.fill('224 622 12 34')
  await pressInSheet(page, contactWords.save)
  await expect(question.getByRole('button')).toHaveText([/^\+1 224 622 1234/, /^\+224 622 12 34/])
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
