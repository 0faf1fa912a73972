import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { listDatabases } from './steps/device.ts'
import { expectHome } from './steps/pages.ts'
import { openScene, setResponse } from './steps/scenes.ts'
import { signOut } from './steps/signIn.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

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
