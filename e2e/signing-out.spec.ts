import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { expectNoDatabase, listDatabases } from './steps/device.ts'
import { expectHome } from './steps/pages.ts'
import { openScene, setResponse } from './steps/scenes.ts'
import { registerAndOpenHome, signOut } from './steps/signIn.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

test('an interrupted sign-out is completed when the app opens again', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  // The device never finishes deleting its data before the page is closed.
  await page.evaluate(() => {
    IDBFactory.prototype.deleteDatabase = () => new EventTarget() as IDBOpenDBRequest
  })
  await page.getByRole('button', { name: words.menu }).click()
  await page.getByRole('menuitem', { name: words.signOut }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('passerelle.leaving'))).not.toBeNull()
  await page.reload()
  await expect(page.getByRole('button', { name: words.createInstead })).toBeVisible()
  // The sign-in screen completes the sign-out, whether the session had ended before the reload or not.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('passerelle.leaving'))).toBeNull()
  await expectNoDatabase(page)
  const storage = await page.evaluate(() => JSON.stringify(localStorage))
  for (const trace of [person.email, person.name]) expect(storage).not.toContain(trace)
})

sceneTest('a sign-out reports its success or its failure @spec-sign-out-toasts', async ({ page }) => {
  await openScene(page, 'profile-menu')
  await setResponse(page, 'auth.signOut', { failure: { kind: 'authOther', message: '' } })
  await page.getByRole('menuitem', { name: words.signOut }).click()
  await expect(page.getByRole('alert').getByText(words.signOutFailed)).toBeVisible()
  await expectHome(page)
  expect(await listDatabases(page)).toHaveLength(1)
  await setResponse(page, 'auth.signOut', { value: undefined })
  await signOut(page)
  await expect(page.getByRole('status').getByText(words.signedOut)).toBeVisible()
})
