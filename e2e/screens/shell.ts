import { expect } from '@playwright/test'
import { beSafariOnIos, holdNewVersion, offerInstall } from '../steps/device.ts'
import { crash } from '../steps/faults.ts'
import { handIn, marks } from '../steps/identity.ts'
import { openFromMenu } from '../steps/pages.ts'
import { signIn, speak } from '../steps/waysIn.ts'
import { words } from '../words.ts'
import { arrive, hurryToasts, register, signInAs } from './people.ts'
import { button, IN_APP, type ScreensOf, text } from './screen.ts'

export const SHELL_SCREENS: ScreensOf = {
  testedBy: [
    'first-screens',
    'keyboard',
    'keeping',
    'offline',
    'refusals',
    'settings',
    'signing-out',
    'slow-code',
  ],
  at: IN_APP,
  screens: [
    {
      name: 'opening',
      at: { session: 'starting', transfer: null },
      async reach(stage) {
        await arrive(stage)
        await stage.page.route('**/accounts:lookup**', () => undefined)
        // A device that remembers the person opens at once.
        await stage.page.addInitScript(() => {
          for (const name of ['profile', 'home']) localStorage.removeItem(`passerelle.${name}`)
        })
        await stage.page.reload()
      },
      shows: text('opening'),
    },
    {
      name: 'start-failed',
      at: { session: 'failed', transfer: null },
      async reach(stage) {
        const { page } = stage
        const person = await register(stage)
        await speak(page)
        await page.route('**/v1/projects/**', (route) => route.abort())
        await signIn(page, person)
      },
      shows: text('startFailed'),
    },
    {
      name: 'crashed',
      at: { transfer: null },
      async reach(stage) {
        await arrive(stage)
        await crash(stage.page)
      },
      shows: text('crashed'),
    },
    {
      name: 'code-missing',
      at: { transfer: null },
      async reach(stage) {
        const { page } = stage
        await page.route('**/assets/Home-*.js', (route) => route.fulfill({ status: 404, body: '' }))
        await hurryToasts(page)
        await speak(page)
        await signIn(page, await register(stage))
        await expect(page.getByText(words.codeMissing)).toBeVisible()
        await expect(page.getByText(words.welcome)).toBeHidden()
      },
      shows: text('codeMissing'),
    },
    {
      name: 'home-install',
      async reach(stage) {
        const { page } = stage
        await page.addInitScript(earnInvitation)
        await arrive(stage)
        await offerInstall(page)
        // It waits until the home screen is shown the next time.
        await openFromMenu(page, words.contacts)
        await page.goBack()
      },
      shows: button('install'),
    },
    {
      name: 'home-install-in-safari',
      async reach(stage) {
        await stage.page.addInitScript(earnInvitation)
        await stage.page.addInitScript(beSafariOnIos)
        await arrive(stage)
      },
      shows: ({ page }) => page.getByText(words.installInSafari),
    },
    {
      name: 'home-update-ready',
      at: { update: 'ready.offered' },
      async reach(stage) {
        await stage.page.addInitScript(holdNewVersion)
        await arrive(stage)
      },
      shows: button('update'),
    },
    {
      name: 'profile-menu',
      async reach(stage) {
        await arrive(stage)
        await stage.page.getByRole('button', { name: words.menu }).click()
      },
      shows: ({ page }) => page.getByRole('menuitem', { name: words.signOut }),
    },
    {
      name: 'profile-menu-verified',
      async reach(stage) {
        const person = await register(stage)
        await handIn(stage.server, person.uid, { status: 'approved' })
        await signInAs(stage, person)
        await stage.page.getByRole('button', { name: words.menu }).click()
      },
      shows: ({ page }) => page.getByRole('menuitem', { name: new RegExp(`${marks.approved}$`) }),
    },
    {
      name: 'device-keeps-nothing',
      async reach(stage) {
        await stage.page.addInitScript(() => {
          IDBFactory.prototype.open = () => {
            throw new DOMException('', 'UnknownError')
          }
        })
        await arrive(stage)
      },
      shows: ({ page }) => page.getByText(/ne peut rien garder|can’t keep anything/),
    },
  ],
}

/** Runs in the page: a transfer was paid on this device before. */
function earnInvitation() {
  localStorage.setItem('passerelle.install', '"earned"')
}
