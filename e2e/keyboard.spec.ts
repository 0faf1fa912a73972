import type { Locator, Page } from '@playwright/test'
import { expect, sceneTest, test } from './fixtures.ts'
import { delayRequests } from './steps/faults.ts'
import { describeFocus, tabTo } from './steps/keyboard.ts'
import { expectHome, pressKey } from './steps/pages.ts'
import { createPerson } from './steps/person.ts'
import { openScene } from './steps/scenes.ts'
import { registerAndOpenSignIn, signIn, signInPanel } from './steps/signIn.ts'
import { activityRows, CARD_NUMBERS, cardFrame, payButton, receiptSheet } from './steps/transfer.ts'
import { getTestLanguage } from './texts.ts'
import { words } from './words.ts'

test('the keyboard alone signs up, sends money and gets a receipt @english', async ({ page, server }) => {
  const person = createPerson()
  await open(page)

  await test.step('sign up', async () => {
    await tabTo(page, page.getByRole('button', { name: words.createInstead }))
    await page.keyboard.press('Enter')
    await expectFocusSomewhere(page, 'after turning to the sign-up')
    await tabTo(page, page.getByLabel(words.name), 'Shift+Tab')
    await page.keyboard.type(person.name)
    await tabTo(page, page.getByLabel(words.email))
    await page.keyboard.type(person.email)
    await tabTo(page, page.getByLabel(words.password, { exact: true }))
    await page.keyboard.type(person.password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
    await expectFocusSomewhere(page, 'on the verification screen')
  })

  await test.step('verify the address', async () => {
    await page.goto(await server.mailLink(person.email))
    await tabTo(page, page.getByRole('link', { name: words.goOn }))
    await page.keyboard.press('Enter')
    await expectHome(page)
  })

  const confirm = page.getByRole('main').getByRole('button', { name: words.pay })
  await test.step('fill in the transfer', async () => {
    await tabTo(page, page.getByLabel(words.amount))
    await page.keyboard.type('150')
    const currency = page.getByLabel(words.currency)
    await tabTo(page, currency)
    await page.keyboard.press('ArrowDown')
    await expect(currency).toHaveValue('CAD')
    await page.keyboard.press('ArrowUp')
    await expect(currency).toHaveValue('EUR')
    await tabTo(page, page.getByLabel(words.arrives))
    await expect(page.getByLabel(words.arrives)).toHaveValue(/^1.542.300$/)
    const country = page.getByLabel(words.country)
    await tabTo(page, country)
    await page.keyboard.press('ArrowDown')
    await expect(country).toHaveValue('FR')
    await page.keyboard.press('ArrowUp')
    await expect(country).toHaveValue('GN')
    await tabTo(page, page.getByRole('radio', { name: 'Orange Money' }))
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('radio', { name: 'MTN Money' })).toBeChecked()
    await tabTo(page, page.getByLabel(words.phone))
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('620000000')
    await tabTo(page, page.getByLabel(words.confirmPhone))
    await expect(page.getByLabel(words.phone)).toHaveValue('+224 620 00 00 00')
    await expect(page.getByRole('radio', { name: 'MTN Money' })).toBeChecked()
    await page.keyboard.press('Space')
    await tabTo(page, confirm)
    await page.keyboard.press('Enter')
  })

  const payment = page.getByRole('dialog', { name: words.payByCard })
  await test.step('leave the payment, and come back to it', async () => {
    await expect(payButton(page)).toBeEnabled()
    await expectTrapped(page, payment)
    // The provider's frame handles its keys itself.
    await tabTo(page, payment.getByRole('button', { name: words.close, exact: true }))
    await page.keyboard.press('Escape')
    await expect(payment).toBeHidden()
    await expect(confirm).toBeEnabled()
    await expectFocusSomewhere(page, 'after leaving the payment')
    await tabTo(page, confirm)
    await page.keyboard.press('Enter')
  })

  const receipt = receiptSheet(page)
  await test.step('pay', async () => {
    await expect(payButton(page)).toBeEnabled()
    const frame = cardFrame(page)
    await tabTo(page, frame.getByLabel(words.cardNumber))
    await page.keyboard.type(CARD_NUMBERS.good)
    await tabTo(page, frame.getByLabel(words.expiry))
    await page.keyboard.type('1234')
    await tabTo(page, frame.getByLabel(words.cvc))
    await page.keyboard.type('123')
    await tabTo(page, payButton(page))
    await page.keyboard.press('Enter')
    await expect(receipt.getByText(words.paid)).toBeVisible()
  })

  await test.step('keep the receipt', async () => {
    await expectTrapped(page, receipt)
    const button = receipt.getByRole('button', { name: words.download })
    await tabTo(page, button)
    const download = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toMatch(/\.pdf$/)
    await expect.soft(button, 'the focus stays where the file was asked for').toBeFocused()
    await tabTo(page, receipt.getByRole('button', { name: words.done }))
    await page.keyboard.press('Enter')
    await expect(receipt).toBeHidden()
    await expectFocusSomewhere(page, 'after the receipt')
  })

  await test.step('open it again', async () => {
    const row = activityRows(page)
    await tabTo(page, row)
    await page.keyboard.press('Space')
    await expectTrapped(page, receipt)
    await page.keyboard.press('Escape')
    await expect(receipt).toBeHidden()
    await expect.soft(row, 'the focus comes back to what opened the receipt').toBeFocused()
  })

  await test.step('sign out', async () => {
    await chooseFromMenu(page, words.signOut)
    await expect(page.getByRole('button', { name: words.createInstead })).toBeVisible()
    await expectFocusSomewhere(page, 'after signing out')
  })

  await test.step('sign in again', async () => {
    await tabTo(page, page.getByLabel(words.email))
    await page.keyboard.type(person.email)
    await tabTo(page, page.getByLabel(words.password, { exact: true }))
    await page.keyboard.type(person.password)
    await page.keyboard.press('Enter')
    await expectHome(page)
    await expectFocusSomewhere(page, 'on the home screen')
  })
})

sceneTest('Escape or a choice closes the menu with its button focused @english', async ({ page }) => {
  await openScene(page, 'home-empty')
  const menu = page.getByRole('button', { name: words.menu })
  const items = page.getByRole('menuitem')
  await pressKey(menu)
  await expect(items.first()).toBeFocused()
  await menu.press('Escape')
  await expect(items).toHaveCount(0)
  await expect(menu).toBeFocused()

  await pressKey(menu)
  await expect(items.first()).toBeFocused()
  // The page is drawn two frames later, because its code is already loaded.
  const isMenuThere = await items.first().evaluate((element: HTMLElement) => {
    element.click()
    return new Promise<boolean>((resolve) => {
      const look = () => resolve(document.querySelector('[role=menu]') !== null)
      requestAnimationFrame(() => requestAnimationFrame(look))
    })
  })
  expect(isMenuThere).toBe(false)
})

sceneTest('the keyboard alone signs up by phone @english', async ({ page }) => {
  const panel = signInPanel(page)
  const code = panel.getByLabel(words.code)
  await openScene(page, 'sign-in', {
    responses: { 'phoneCodes.sendCode': { value: { verificationId: '1' } } },
  })
  await tabTo(page, page.getByRole('tab', { name: words.emailTab }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: words.phoneTab, exact: true })).toBeFocused()
  await tabTo(page, panel.getByRole('button', { name: words.createInstead }))
  await page.keyboard.press('Enter')
  await expectFocusSomewhere(page, 'after turning to the sign-up')
  await tabTo(page, panel.getByLabel(words.name), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(panel.getByText(words.nameWanted)).toBeVisible()
  await page.keyboard.type('Mamadou Bah')
  await tabTo(page, panel.getByLabel(words.phoneNumber))
  await page.keyboard.type('+33612345678')
  await page.keyboard.press('Enter')
  await expect(code).toBeFocused()
  await tabTo(page, panel.getByRole('button', { name: words.changeNumber }))
  await page.keyboard.press('Space')
  await expectFocusSomewhere(page, 'after going back to the number')
  await tabTo(page, panel.getByRole('button', { name: words.getCode }))
  await page.keyboard.press('Enter')
  await expect(code).toBeFocused()
  await page.keyboard.type('123456')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('button', { name: words.createAccount })).toBeDisabled()
})

sceneTest('the keyboard alone opens and leaves the profile and its sheets @english', async ({ page }) => {
  await openScene(page, 'profile-by-phone', {
    responses: { 'accountChanges.ensureRecentSignIn': { value: undefined } },
  })
  const change = page.getByRole('main').getByRole('button', { name: new RegExp(`^${words.yourPhone}`) })
  await tabTo(page, page.getByRole('button', { name: words.back }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expectHome(page)
  await expectFocusSomewhere(page, 'after leaving the profile')

  await chooseFromMenu(page, words.profile)
  await expect(page.getByRole('heading', { level: 1, name: words.profile })).toBeFocused()
  await tabTo(page, change)
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: words.changeNumber }))
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: words.changeNumber })
  await expect(sheet).toBeVisible()
  await expectTrapped(page, sheet)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect.soft(change, 'the focus comes back to what opened the sheet').toBeFocused()
})

test('the home screen has the focus from its first moment', async ({ page, server }) => {
  const person = await registerAndOpenSignIn(page, server)
  const release = await delayRequests(page, '**/assets/Home-*.js')
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: words.opening })).toBeFocused()
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const heading = document.getElementById('send')
      if (!heading) return
      observer.disconnect()
      Object.assign(window, { isAtHome: document.activeElement === heading })
    }).observe(document.body, { childList: true, subtree: true })
  })
  release()
  await expectHome(page)
  expect(await page.evaluate('isAtHome')).toBe(true)
})

async function open(page: Page) {
  await page.goto('/')
  if (getTestLanguage() === 'en') {
    await tabTo(page, page.getByRole('button', { name: 'English' }))
    await page.keyboard.press('Enter')
  }
  await expect(page.getByRole('button', { name: words.createInstead })).toBeVisible()
}

async function chooseFromMenu(page: Page, name: string) {
  const entry = page.getByRole('menuitem', { name, exact: true })
  await tabTo(page, page.getByRole('button', { name: words.menu }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await tabTo(page, entry, 'ArrowDown')
  await page.keyboard.press('Enter')
}

async function expectFocusSomewhere(page: Page, when: string) {
  await expect.soft
    .poll(async () => (await describeFocus(page)).name, { message: `focus ${when}` })
    .not.toBe('nothing')
}

async function expectTrapped(page: Page, dialog: Locator) {
  const isInside = () => dialog.evaluate((element) => element.contains(document.activeElement))
  await expect.poll(isInside, { message: 'the focus goes into the dialog' }).toBe(true)
  for (const key of ['Tab', 'Shift+Tab'])
    for (let stop = 0; stop < 12; stop += 1) {
      await page.keyboard.press(key)
      expect(await isInside(), `the focus stays in the dialog (${key})`).toBe(true)
    }
}
