import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectHome, pressKey } from './steps/pages.ts'
import { somebody, somebodyWithPhone } from './steps/people.ts'
import { activityRows, CARDS, cardFrame, payButton, receiptSheet } from './steps/transfer.ts'
import { arriveHome, panel, sentCode } from './steps/waysIn.ts'
import { currentLanguage } from './texts.ts'
import { words } from './words.ts'

/** More stops than any screen has. */
const MOST_STOPS = 40

test('the main job is done with the keyboard alone', async ({ page, server }) => {
  const person = somebody()
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
    await tabTo(page, page.getByLabel(words.arrives))
    await expect(page.getByLabel(words.arrives)).toHaveValue(/^1.542.300$/)
    const currency = page.getByLabel(words.currency)
    await tabTo(page, currency)
    await page.keyboard.press('ArrowDown')
    await expect(currency).toHaveValue('CAD')
    await page.keyboard.press('ArrowUp')
    await expect(currency).toHaveValue('EUR')
    const country = page.getByLabel(words.country)
    await tabTo(page, country)
    await page.keyboard.press('ArrowDown')
    await expect(country).toHaveValue('FR')
    await page.keyboard.press('ArrowUp')
    await expect(country).toHaveValue('GN')
    await tabTo(page, page.getByLabel(words.phone))
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('620000000')
    await tabTo(page, page.getByRole('radio', { name: 'Orange Money' }))
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('radio', { name: 'MTN Money' })).toBeChecked()
    await expect(page.getByLabel(words.phone)).toHaveValue('+224 620 00 00 00')
    await tabTo(page, page.getByLabel(words.confirmPhone))
    await page.keyboard.press('Space')
    await tabTo(page, confirm)
    await page.keyboard.press('Enter')
  })

  const payment = page.getByRole('dialog', { name: words.pay })
  await test.step('leave the payment, and come back to it', async () => {
    await expect(payButton(page)).toBeEnabled()
    await expectTrapped(page, payment)
    // The frame of the provider keeps its keys for itself.
    await tabTo(page, payment.getByRole('button', { name: words.backToTransfer }))
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
    await page.keyboard.type(CARDS.good)
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
    const menu = page.getByRole('button', { name: words.menu })
    const items = page.getByRole('menuitem')
    const signOut = page.getByRole('menuitem', { name: words.signOut })
    await tabTo(page, menu, 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(items.first()).toBeFocused()
    await expect(signOut).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(signOut).toBeHidden()
    await expect.soft(menu, 'the focus comes back to what opened the menu').toBeFocused()
    await tabTo(page, menu, 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(items.first()).toBeFocused()
    await expect(signOut).toBeVisible()
    await tabTo(page, signOut, 'ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: words.createInstead })).toBeVisible()
    await expectFocusSomewhere(page, 'after signing out')
  })
})

test('the menu closes by its key wherever the focus is', async ({ page, server }) => {
  await arriveHome(page, server)
  const menu = page.getByRole('button', { name: words.menu })
  const items = page.getByRole('menuitem')
  await pressKey(menu)
  await expect(items.first()).toBeFocused()
  await menu.press('Escape')
  await expect(items).toHaveCount(0)
  await expect(menu).toBeFocused()
})

test('the menu is gone before the page that it leads to is there', async ({ page, server }) => {
  await arriveHome(page, server)
  const menu = page.getByRole('button', { name: words.menu })
  await pressKey(menu)
  const item = page.getByRole('menuitem').first()
  await expect(item).toBeFocused()
  // The code of the page may be there already: two frames later the page is drawn.
  const isMenuThere = await item.evaluate((element: HTMLElement) => {
    element.click()
    return new Promise<boolean>((resolve) => {
      const look = () => resolve(document.querySelector('[role=menu]') !== null)
      requestAnimationFrame(() => requestAnimationFrame(look))
    })
  })
  expect(isMenuThere).toBe(false)
})

test('the sign-up by phone is done with the keyboard alone', async ({ page, server }) => {
  const person = somebodyWithPhone()
  await open(page)
  await tabTo(page, page.getByRole('tab', { name: words.emailTab }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: words.phoneTab, exact: true })).toBeFocused()
  await tabTo(page, panel(page).getByRole('button', { name: words.createInstead }))
  await page.keyboard.press('Enter')
  await expectFocusSomewhere(page, 'after turning to the sign-up')
  await tabTo(page, panel(page).getByLabel(words.name), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(panel(page).getByText(words.nameWanted)).toBeVisible()
  await page.keyboard.type(person.name)
  await tabTo(page, panel(page).getByLabel(words.phoneNumber))
  await page.keyboard.type(person.phone)
  await page.keyboard.press('Enter')

  const code = panel(page).getByLabel(words.code)
  const sent = await sentCode(page, server, person)
  await expect(code).toBeFocused()
  await page.keyboard.type(sent)
  await tabTo(page, panel(page).getByRole('button', { name: words.changeNumber }))
  await page.keyboard.press('Space')
  await expectFocusSomewhere(page, 'after going back to the number')
  await tabTo(page, panel(page).getByRole('button', { name: words.getCode }))
  await page.keyboard.press('Enter')
  await expect(code).toBeFocused()
  await page.keyboard.type(await server.smsCode(person.phone))
  await page.keyboard.press('Enter')
  await expectHome(page)
  await expectFocusSomewhere(page, 'on the home screen')

  const menu = page.getByRole('button', { name: words.menu })
  const profile = page.getByRole('menuitem', { name: words.profile, exact: true })
  await tabTo(page, menu, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await tabTo(page, profile, 'ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: words.profile })).toBeFocused()
  const change = page.getByRole('main').getByRole('button', { name: words.changeNumber })
  await tabTo(page, change)
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: words.changeNumber })
  await expect(sheet).toBeVisible()
  await expectTrapped(page, sheet)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect.soft(change, 'the focus comes back to what opened the sheet').toBeFocused()
  await tabTo(page, page.getByRole('button', { name: words.back }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expectHome(page)
  await expectFocusSomewhere(page, 'after leaving the profile')
})

/** The signed-out screen in the language that the test speaks. */
async function open(page: Page) {
  await page.goto('/')
  await tabTo(page, page.getByRole('button', { name: currentLanguage() === 'fr' ? 'Français' : 'English' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: words.createInstead })).toBeVisible()
}

/** Goes from stop to stop until the target, once it can be used, has the focus. Each stop on the way has to be in sight, and marked. */
async function tabTo(page: Page, target: Locator, key = 'Tab') {
  await expect(target).toBeEnabled()
  const stops: string[] = []
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await hasFocus(target)) return
    await page.keyboard.press(key)
    const { name, problem } = await describeFocus(page)
    stops.push(name)
    expect.soft(problem, name).toBe('')
  }
  throw new Error(`${key} does not lead to ${target}; it went over ${stops.join(' · ')}`)
}

const hasFocus = (target: Locator) =>
  target.evaluate((element) => {
    const { activeElement } = element.ownerDocument
    return activeElement === element && element.ownerDocument.hasFocus()
  })

/** What has the focus, and what is wrong with how it shows. A provider's frame answers for itself. */
function describeFocus(page: Page): Promise<{ name: string; problem: string }> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return { name: 'nothing', problem: 'The focus is lost' }
    const text = element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent
    const name = `<${element.localName}> ${(text ?? '').trim().slice(0, 40)}`
    if (element.localName === 'iframe') return { name, problem: '' }
    // A tile is marked around its radio button, a field around the input and what stands in it.
    const marked = [element, element.parentElement, element.closest('label')].some((part) => {
      if (!part) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part)
      const hasOutline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
      const isField = part.matches('input, textarea, :has(> input)')
      return hasOutline || (isField && boxShadow !== 'none')
    })
    if (!marked) return { name, problem: 'The focus is not marked' }
    const { left, top, width, height } = element.getBoundingClientRect()
    const isInSight = [0.1, 0.5, 0.9].some((part) => {
      const hit = document.elementFromPoint(left + width / 2, top + height * part)
      return (
        hit !== null &&
        (element.contains(hit) || hit.contains(element) || hit.closest('label')?.contains(element))
      )
    })
    return { name, problem: isInSight ? '' : 'The focus is out of sight' }
  })
}

async function expectFocusSomewhere(page: Page, when: string) {
  await expect.soft
    .poll(async () => (await describeFocus(page)).name, { message: `focus ${when}` })
    .not.toBe('nothing')
}

/** The focus is in the dialog, and goes round in it. */
async function expectTrapped(page: Page, dialog: Locator) {
  const isInside = () => dialog.evaluate((element) => element.contains(document.activeElement))
  await expect.poll(isInside, { message: 'the focus goes into the dialog' }).toBe(true)
  for (const key of ['Tab', 'Shift+Tab'])
    for (let stop = 0; stop < 12; stop += 1) {
      await page.keyboard.press(key)
      expect(await isInside(), `the focus stays in the dialog (${key})`).toBe(true)
    }
}
