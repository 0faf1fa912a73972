import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { words } from '../words.ts'

export const expectHome = (page: Page) =>
  expect(page.getByRole('heading', { name: words.send })).toBeVisible()

export async function openOtherTab(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto('/')
  await expectHome(tab)
  return tab
}

/** The focus moves to a heading if the pressed button disappears. */
export const expectHeadingFocused = (page: Page) => expect(page.locator('h1:focus, h2:focus')).toHaveCount(1)

export async function openFromMenu(page: Page, title: string) {
  await page.getByRole('button', { name: words.menu }).click()
  // Text next to an entry's label may be part of its name.
  await page.getByRole('menuitem', { name: new RegExp(`^${title}`) }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

export async function openFromBar(page: Page, title: string) {
  await page.getByRole('navigation').getByRole('button', { name: title, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

export async function openSupport(page: Page) {
  const inBar = page.getByRole('navigation').getByRole('button', { name: words.contactUs })
  if (!(await inBar.isVisible())) {
    await page.getByRole('button', { name: words.menu }).click()
    await page.getByRole('menuitem', { name: words.contactUs }).click()
  } else await inBar.click()
  await expect(page.getByRole('dialog', { name: words.contactUs })).toBeVisible()
}

export async function openSecurity(page: Page) {
  await openFromMenu(page, words.settings)
  await openFromRow(page, words.security)
}

export async function openFromRow(page: Page, title: string) {
  await page
    .getByRole('main')
    .getByRole('button', { name: new RegExp(`^${title}`) })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

export const openWallet = (page: Page) => openFromBar(page, words.wallet)

export const openProfile = (page: Page) => openFromMenu(page, words.profile)

export async function openSetting(page: Page, name: string): Promise<Locator> {
  await page
    .getByRole('main')
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
  const sheet = page.getByRole('dialog', { name, exact: true })
  await expect(sheet).toBeVisible()
  return sheet
}

/** Unlike a click, a key press does not wait until the element is enabled. */
export async function pressKey(target: Locator, key: 'Enter' | 'Space' = 'Enter') {
  await expect(target).toBeEnabled()
  // A button that is busy for a moment takes no focus, and the key would reach the field before it.
  await expect.poll(() => target.evaluate(takeFocus)).toBe(true)
  await target.press(key)
}

/** A notice ignores presses during its first moment, when it can't have been read. */
export const pressWhenRead = (button: Locator) =>
  expect
    .poll(() => button.evaluateAll((all) => all.map((one) => (one as HTMLElement).click()).length))
    .toBe(0)

function takeFocus(element: HTMLElement | SVGElement): boolean {
  element.focus()
  return document.activeElement === element
}
