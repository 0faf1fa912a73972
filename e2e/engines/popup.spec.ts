// Not run in WebKit, whose process crashes in one of ten runs when a window that the driver used closes.
import { expectHome } from '../steps/pages.ts'
import { createPerson, createPhonePerson } from '../steps/person.ts'
import { completeGoogleSignIn, openInTestLanguage, openSignUp, signOut } from '../steps/signIn.ts'
import { words } from '../words.ts'
import { expect, test } from './fixtures.ts'

test('a user signs up and in with Google in a popup', async ({ page, driver }) => {
  const person = { name: createPhonePerson().name, email: createPerson().email }
  const passThroughPopup = async () => {
    const [first = ''] = await driver.windows()
    const findPopup = async () => (await driver.windows()).find((window) => window !== first)
    await page.getByRole('button', { name: words.google }).click()
    await expect.poll(findPopup, { message: 'a window that opens' }).toBeTruthy()
    await driver.use((await findPopup()) ?? '')
    await completeGoogleSignIn(page, person)
    await expect.poll(findPopup, { message: 'a window that closes' }).toBeUndefined()
    await driver.use(first)
    await expectHome(page)
  }
  await openInTestLanguage(page)
  await openSignUp(page)
  await passThroughPopup()
  await signOut(page)
  await passThroughPopup()
})
