import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { contactRow, contactWords, pressInSheet, sheet } from './steps/contacts.ts'
import { expectHome, openFromMenu } from './steps/pages.ts'
import { createPerson } from './steps/person.ts'
import { openInTestLanguage, registerAndOpenSignIn, signInPanel } from './steps/signIn.ts'
import { words } from './words.ts'

/** Two ways in which browsers and password managers fill in a field without an event that React accepts. */
const fillUnnoticed = (
  field: Locator,
  value: string,
  way: 'without an event' | 'by the property, with events' = 'without an event',
) =>
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

test('sign-in and contacts accept fields filled in unnoticed', async ({ page, server }) => {
  const person = await registerAndOpenSignIn(page, server)
  await fillUnnoticed(page.getByLabel(words.email), person.email)
  await fillUnnoticed(
    page.getByLabel(words.password, { exact: true }),
    person.password,
    'by the property, with events',
  )
  await signInPanel(page).getByRole('button', { name: words.signIn }).click()
  await expectHome(page)

  await openFromMenu(page, words.contacts)
  await page.getByRole('button', { name: contactWords.add }).click()
  await fillUnnoticed(sheet(page).getByLabel(contactWords.name), 'Mariama Bah')
  await fillUnnoticed(sheet(page).getByLabel(words.phoneNumber), '+224 620 00 00 00')
  await pressInSheet(page, contactWords.save)
  await expect(contactRow(page, 'Mariama Bah')).toContainText('620 00 00 00')
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
