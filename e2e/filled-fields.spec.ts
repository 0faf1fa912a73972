import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { contactRow, contactWords, pressInSheet, sheet } from './steps/contacts.ts'
import { expectHome, openFromMenu, openProfile, openSetting } from './steps/pages.ts'
import { createPerson } from './steps/person.ts'
import {
  openInTestLanguage,
  registerAndOpenHome,
  registerAndOpenSignIn,
  signInPanel,
} from './steps/signIn.ts'
import { words } from './words.ts'

/** How browsers and password managers fill in a field without an event that React accepts. */
const WAYS = ['without an event', 'by the property, with events'] as const

const fillUnnoticed = (field: Locator, value: string, way: (typeof WAYS)[number] = 'without an event') =>
  field.evaluate(
    (input: HTMLInputElement, [value, way]) => {
      if (way === 'without an event') {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
        return
      }
      // React counts a value that is set by this property as its own, and ignores the events.
      input.value = value
      for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }))
    },
    [value, way] as const,
  )

for (const way of WAYS)
  test(`the sign-in accepts an address and password filled in ${way}`, async ({ page, server }) => {
    const person = await registerAndOpenSignIn(page, server)
    await fillUnnoticed(page.getByLabel(words.email), person.email, way)
    await fillUnnoticed(page.getByLabel(words.password, { exact: true }), person.password, way)
    await signInPanel(page).getByRole('button', { name: words.signIn }).click()
    await expectHome(page)
  })

test('the sign-up keeps filled fields while the user types into another one', async ({ page }) => {
  const person = createPerson()
  await openInTestLanguage(page)
  await page.getByRole('button', { name: words.createInstead }).click()
  await fillUnnoticed(page.getByLabel(words.email), person.email)
  await fillUnnoticed(page.getByLabel(words.password, { exact: true }), person.password)
  await page.getByLabel(words.name).pressSequentially(person.name)
  await expect(page.getByLabel(words.email)).toHaveValue(person.email)
  await page.getByLabel(words.password, { exact: true }).press('Enter')
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
})

test('profile and contacts accept values filled in without an event', async ({ page, server }) => {
  await registerAndOpenHome(page, server)
  await openProfile(page)
  const own = await openSetting(page, words.yourName)
  await fillUnnoticed(own.getByLabel(words.name), 'Aïssatou Barry')
  await own.getByRole('button', { name: words.saveName }).click()
  await expect(page.getByText(words.nameSaved)).toBeVisible()

  await openFromMenu(page, words.contacts)
  await page.getByRole('button', { name: contactWords.add }).click()
  await fillUnnoticed(sheet(page).getByLabel(contactWords.name), 'Mariama Bah')
  await fillUnnoticed(sheet(page).getByLabel(words.phoneNumber), '+224 620 00 00 00')
  await pressInSheet(page, contactWords.save)
  await expect(contactRow(page, 'Mariama Bah')).toContainText('620 00 00 00')
})
