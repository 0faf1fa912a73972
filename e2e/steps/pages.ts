import { expect, type Locator, type Page } from '@playwright/test'
import { words } from '../words.ts'

export const expectHome = (page: Page) =>
  expect(page.getByRole('heading', { name: words.send })).toBeVisible()

/** The button that was pressed is gone; the focus is where somebody who can't see it goes on. */
export const expectHeadingFocused = (page: Page) => expect(page.locator('h1:focus, h2:focus')).toHaveCount(1)

/** To one of the pages that the person's menu leads to, by its title. */
export async function openFromMenu(page: Page, title: string) {
  await page.getByRole('button', { name: words.menu }).click()
  // What stands beside the words of an entry may be part of its name.
  await page.getByRole('menuitem', { name: new RegExp(`^${title}`) }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

/** To one of the pages that the bar leads to, at the top of a desk or at the bottom of a phone, by its title. */
export async function openFromBar(page: Page, title: string) {
  await page.getByRole('navigation').getByRole('button', { name: title, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

/** The dialog of the support: from the bar of a desk, or from the menu of a phone. */
export async function openContact(page: Page) {
  const inBar = page.getByRole('navigation').getByRole('button', { name: words.contactUs })
  if (!(await inBar.isVisible())) {
    await page.getByRole('button', { name: words.menu }).click()
    await page.getByRole('menuitem', { name: words.contactUs }).click()
  } else await inBar.click()
  await expect(page.getByRole('dialog', { name: words.contactUs })).toBeVisible()
}

/** From the home screen to the security page, which lies over the settings. */
export async function openSecurity(page: Page) {
  await openFromMenu(page, words.settings)
  await openRow(page, words.security)
}

/** An entry of a page that leads to another page, by that one's title. */
export async function openRow(page: Page, title: string) {
  await page
    .getByRole('main')
    .getByRole('button', { name: new RegExp(`^${title}`) })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

export const openWallet = (page: Page) => openFromBar(page, words.wallet)

export const openProfile = (page: Page) => openFromMenu(page, words.profile)

/** A part of a page, by its heading. */
export const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Presses something by the keyboard. Unlike a click, a key does not wait by itself until it can be pressed. */
export async function pressKey(target: Locator, key: 'Enter' | 'Space' = 'Enter') {
  await expect(target).toBeEnabled()
  await target.press(key)
}
