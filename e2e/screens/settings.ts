import { openFromMenu, openRow, openSecurity } from '../steps/pages.ts'
import { words } from '../words.ts'
import { arrive } from './people.ts'
import { button, IN_APP, type ScreensOf, text } from './screen.ts'

export const SETTINGS_SCREENS: ScreensOf = {
  at: IN_APP,
  testedBy: ['settings', 'profile', 'money-texts', 'own-data', 'push'],
  screens: [
    {
      name: 'security-refused',
      async reach(stage) {
        const { page } = stage
        await arrive(stage)
        await openSecurity(page)
        await page.getByLabel(words.currentPassword, { exact: true }).fill('pas-le-bon')
        for (const name of [words.newPassword, words.passwordAgain])
          await page.getByLabel(name, { exact: true }).fill('Konkouré2026')
        await page.getByRole('button', { name: words.changePassword }).click()
      },
      shows: text('wrongPassword'),
    },
    {
      name: 'settings',
      async reach(stage) {
        await arrive(stage)
        await openFromMenu(stage.page, words.settings)
      },
      shows: button('viewPlans'),
    },
    {
      name: 'notifications',
      at: { push: 'blocked' },
      async reach(stage) {
        await arrive(stage)
        await openFromMenu(stage.page, words.settings)
        await openRow(stage.page, words.notifications)
      },
      shows: ({ page }) => page.getByLabel(words.versionChoice),
    },
    {
      name: 'security',
      async reach(stage) {
        await arrive(stage)
        await openSecurity(stage.page)
      },
      shows: button('changePassword'),
    },
    {
      name: 'security-errors',
      async reach(stage) {
        const { page } = stage
        await arrive(stage)
        await openSecurity(page)
        await page.getByRole('button', { name: words.changePassword }).click()
      },
      shows: text('passwordFieldsWanted'),
    },
    {
      name: 'sign-out-everywhere-failed',
      async reach(stage) {
        const { page } = stage
        await page.route('**/sign-out-everywhere', (route) => route.abort())
        await arrive(stage)
        await openSecurity(page)
        await page.getByRole('button', { name: words.signOutEverywhere }).click()
        await page.getByRole('dialog').getByRole('button', { name: words.signOutEverywhere }).click()
      },
      shows: text('noAnswer'),
    },
    {
      name: 'delete-account',
      async reach(stage) {
        await arrive(stage)
        await openSecurity(stage.page)
        await stage.page.getByRole('button', { name: words.deleteAccount }).click()
      },
      shows: button('deleteForGood'),
    },
    {
      name: 'delete-account-refused',
      async reach(stage) {
        const { page } = stage
        await page.route('**/delete-account', (route) =>
          route.fulfill({ status: 409, json: { code: 'planRunning', error: '', message: '' } }),
        )
        await arrive(stage)
        await openSecurity(page)
        await page.getByRole('button', { name: words.deleteAccount }).click()
        await page.getByLabel(words.understood).check()
        await page.getByRole('button', { name: words.deleteForGood }).click()
      },
      shows: ({ page }) => page.getByRole('dialog').getByRole('alert'),
    },
  ],
}
