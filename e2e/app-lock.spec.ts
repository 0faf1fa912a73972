import type { Page } from '@playwright/test'
import { LOCK_DELAY } from '../domain/account/appLock.ts'
import { SCENE_TIME } from '../scenes/scene.ts'
import { BROKEN_CALL_ERRORS, expect, type Server, sceneTest, test } from './fixtures.ts'
import { payAtBank, returnFromBank } from './steps/bank.ts'
import { waitUntilInstalled } from './steps/deployment.ts'
import { comeBack, leave } from './steps/device.ts'
import { delayRequests } from './steps/faults.ts'
import { NO_NETWORK } from './steps/moneyTexts.ts'
import { expectHome, openSecurity, openSetting, pressKey } from './steps/pages.ts'
import { addAuthenticator, readAccessibleNames } from './steps/passkeys.ts'
import { emulateShownNotification, readShownNotification } from './steps/push.ts'
import { waitUntilDrawn } from './steps/rendering.ts'
import { openScene, releaseCode, setTime } from './steps/scenes.ts'
import { registerAndOpenHome, signIn } from './steps/signIn.ts'
import {
  CARD_NUMBERS,
  closeReceipt,
  expectSavedDraft,
  fillTransfer,
  openCardForm,
  payWithCard,
  receiptSheet,
  sendMoney,
} from './steps/transfer.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const said = defineTexts({
  setting: 'Verrouillage de l’application',
  switchOn: 'Activer le verrouillage',
  switchOff: 'Désactiver le verrouillage',
  isOn: 'Le verrouillage est activé.',
  isOff: 'Le verrouillage est désactivé.',
  staysOff:
    'Le verrouillage n’est pas activé : votre appareil ne vous a pas reconnu, ou n’a rien pu enregistrer. Réessayez.',
  staysOn:
    'Le verrouillage reste activé : votre appareil ne vous a pas reconnu. Réessayez, ou déconnectez-vous pour le retirer.',
  unsupported:
    'Ce navigateur ne peut pas vous reconnaître. Ajoutez d’abord un code ou une empreinte dans les réglages de cet appareil, ou prenez un autre navigateur récent.',
  locked: 'Passerelle est verrouillée',
  unlock: 'Déverrouiller',
  failed:
    'Votre appareil ne vous a pas reconnu. Réessayez. Si la clé d’accès a été supprimée, connectez-vous autrement.',
  otherWay: 'Se connecter autrement',
})

const lock = (page: Page) => page.getByRole('dialog', { name: said.locked })
const unlockButton = (page: Page) => lock(page).getByRole('button', { name: said.unlock })

async function openLockSetting(page: Page) {
  await openSecurity(page)
  return openSetting(page, said.setting)
}

async function switchOn(page: Page) {
  const sheet = await openLockSetting(page)
  await sheet.getByRole('button', { name: said.switchOn }).click()
  await expect(page.getByText(said.isOn)).toBeVisible()
  await expect(sheet).toBeHidden()
  await page.goBack()
  await page.goBack()
  await expectHome(page)
}

async function openWithLock(page: Page, server: Server) {
  await page.clock.install()
  await addAuthenticator(page)
  const person = await registerAndOpenHome(page, server)
  await switchOn(page)
  return person
}

async function openTwoLockedTabs(page: Page, server: Server) {
  const person = await openWithLock(page, server)
  const other = await page.context().newPage()
  await other.goto('/')
  await expectLocked(other)
  return { other, person }
}

async function stayAway(page: Page, duration: number) {
  await leave(page)
  await page.clock.fastForward(duration)
  await comeBack(page)
}

/** On a scene, whose device has no passkeys. */
const setRecognition = (page: Page, isRecognized: boolean) =>
  page.evaluate((isRecognized) => {
    const answer = async () => {
      if (!isRecognized) throw new DOMException('', 'NotAllowedError')
      return { id: 'key', response: { authenticatorData: new Uint8Array(37).fill(0b100) } }
    }
    Object.assign(navigator.credentials, { get: answer, create: answer })
  }, isRecognized)

/** Nothing but the lock may be seen, focused or found by assistive technology. */
async function expectLocked(page: Page) {
  await expect(unlockButton(page)).toBeFocused()
  await expect(page.getByRole('heading', { name: words.send })).toBeHidden()
  const found = await readAccessibleNames(page)
  expect(found).toContain(said.locked)
  for (const hidden of [words.send, words.activity, words.amount]) expect(found).not.toContain(hidden)
}

/** A browser closes a dialog at the second request, whatever the page says. */
async function expectLockedDespiteEscape(page: Page) {
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape')
  await expectLocked(page)
}

async function unlock(page: Page) {
  await unlockButton(page).click()
  await expect(lock(page)).toBeHidden()
}

test('a locked app shows nothing until it has recognized its user @both', async ({ page, server }) => {
  const person = await openWithLock(page, server)
  await sendMoney(page, { amount: '100' })
  await closeReceipt(page)
  await fillTransfer(page, { amount: '42' })
  await expectSavedDraft(page, '42')

  // Before the app's code has loaded, the page does not show the last home screen.
  const release = await delayRequests(page, '**/assets/*.js')
  await page.reload({ waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: words.opening })).toBeVisible()
  await expect(page.locator('#root[inert]')).toHaveCount(0)
  release()
  await expectLocked(page)
  await page.keyboard.press('Tab')
  await expect(lock(page).getByRole('button', { name: said.otherWay })).toBeFocused()
  for (let times = 0; times < 4; times += 1) {
    await page.keyboard.press('Tab')
    await expect(page.locator(':focus:not(dialog *, body, html)')).toHaveCount(0)
  }

  await pressKey(unlockButton(page))
  await expectHome(page)
  await expect(page.locator('h1:focus')).toHaveText(words.send)
  await expect(page.getByLabel(words.amount)).toHaveValue('42')

  const [transfer] = await server.readTransactions(person.email)
  await page.goto(`/?transaction=${transfer?.id}`)
  await expectLocked(page)
  await expect(receiptSheet(page)).toBeHidden()
  await unlock(page)
  await expect(receiptSheet(page)).toBeVisible()
})

sceneTest('the app is covered in the background, and locks after minutes', async ({ page }) => {
  await openScene(page, 'app-locked')
  await setRecognition(page, true)
  await unlock(page)
  const amount = page.getByLabel(words.amount)
  await amount.fill('42')
  await leave(page)
  await expect(page.getByRole('heading', { name: words.send })).toBeHidden()
  await expect(amount).toBeHidden()
  expect(await readAccessibleNames(page)).not.toContain(words.send)
  await setTime(page, SCENE_TIME + LOCK_DELAY - 10_000)
  await comeBack(page)
  await expect(lock(page)).toBeHidden()
  await expectHome(page)
  await expect(amount).toBeFocused()

  await leave(page)
  await setTime(page, SCENE_TIME + 2 * LOCK_DELAY)
  await comeBack(page)
  await expectLocked(page)
  await unlock(page)
  await expect(amount).toBeFocused()
  await expect(amount).toHaveValue('42')
})

sceneTest('the lock is on once it is stored and its code has loaded', async ({ page }) => {
  await openScene(page, 'app-lock-off', { heldCode: 'AppLock' })
  const sheet = page.getByRole('dialog')
  const button = sheet.getByRole('button', { name: said.switchOn })
  await setRecognition(page, false)
  await button.click()
  await expect(sheet.getByRole('alert')).toHaveText(said.staysOff)

  await setRecognition(page, true)
  await page.evaluate(() => {
    const { setItem } = localStorage
    localStorage.setItem = () => {
      localStorage.setItem = setItem
      throw new DOMException('', 'QuotaExceededError')
    }
  })
  await button.click()
  await expect(sheet.getByRole('alert')).toHaveText(said.staysOff)

  await button.click()
  await expect(sheet.getByRole('alert')).toBeHidden()
  await waitUntilDrawn(page)
  await expect(page.getByText(said.isOn)).toBeHidden()
  await releaseCode(page)
  await expect(page.getByText(said.isOn)).toBeVisible()
  await expect(sheet).toBeHidden()
})

sceneTest('an unrecognized user stays locked out until recognized', async ({ page }) => {
  await openScene(page, 'app-locked', { responses: { 'auth.signOut': NO_NETWORK } })
  await setRecognition(page, false)
  await unlockButton(page).click()
  await expect(lock(page).getByRole('alert')).toHaveText(said.failed)
  await expectLockedDespiteEscape(page)
  await lock(page).getByRole('button', { name: said.otherWay }).click()
  await expect(lock(page).getByText(words.signOutFailed)).toBeVisible()
  await expect(page.getByRole('heading', { name: words.send })).toBeHidden()
  await setRecognition(page, true)
  await unlock(page)
  await expectHome(page)
})

test('the app never appears while another tab signs out', async ({ page, server }) => {
  const { other } = await openTwoLockedTabs(page, server)
  await page.reload()
  await expectLocked(page)
  await page.evaluate(() => {
    const home = document.querySelector('h1')
    const look = () => {
      if (home?.checkVisibility({ visibilityProperty: true })) Object.assign(window, { hasAppeared: true })
      requestAnimationFrame(look)
    }
    look()
  })
  await lock(other).getByRole('button', { name: said.otherWay }).click()
  for (const tab of [other, page]) await expect(tab.getByRole('tab', { name: words.emailTab })).toBeVisible()
  expect(await page.evaluate(() => 'hasAppeared' in window)).toBe(false)
})

test('a start overtaken by another tab’s sign-out stays signed out', async ({ page, server }) => {
  const { other, person } = await openTwoLockedTabs(page, server)
  const lookup = '**/accounts:lookup*'
  const release = await delayRequests(page, lookup)
  const requested = page.waitForRequest(lookup)
  await page.reload()
  await requested
  await lock(other).getByRole('button', { name: said.otherWay }).click()
  await expect(other.getByRole('tab', { name: words.emailTab })).toBeVisible()
  release()
  for (const tab of [page, other]) await expect(tab.getByRole('tab', { name: words.emailTab })).toBeVisible()
  await page.reload()
  // The sign-out has removed the lock.
  await signIn(page, person)
  await expectHome(page)
})

test('a payment continues under the lock, without a cancellation', async ({ page, server }) => {
  // In a browser without close watchers, the Escape key reaches the sheet under the lock.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'CloseWatcher'))
  const person = await openWithLock(page, server)
  await fillTransfer(page, { amount: '100' })
  await openCardForm(page)
  await stayAway(page, LOCK_DELAY)
  await expectLockedDespiteEscape(page)
  await unlock(page)
  await payWithCard(page, CARD_NUMBERS.threeDSecure)
  const authenticate = page
    .frameLocator('iframe[src*="3ds"]')
    .getByRole('button', { name: words.authenticate })
  await expect(authenticate).toBeVisible()
  await stayAway(page, LOCK_DELAY)
  await expectLockedDespiteEscape(page)
  await expect(page.locator('iframe[src*="3ds"]')).toBeHidden()
  await unlock(page)
  await authenticate.click()
  await expect(receiptSheet(page)).toContainText(words.paid)
  await closeReceipt(page)

  const id = await payAtBank(page, server, person)
  await returnFromBank(page, id, 'succeeded')
  await expectLocked(page)
  await expect.poll(() => server.readTransactions(person.email)).toHaveLength(2)
  await expectLocked(page)
  await unlock(page)
  await expect(receiptSheet(page)).toContainText(id)
})

test('the lock applies in every tab; only its user ends it', async ({ page, context, server }) => {
  await page.clock.install()
  const device = await addAuthenticator(page)
  await registerAndOpenHome(page, server)
  const other = await context.newPage()
  await other.clock.install()
  await other.goto('/')
  await expectHome(other)
  await page.bringToFront()
  await switchOn(page)
  await expectHome(other)
  await expect
    .poll(async () => {
      await stayAway(other, LOCK_DELAY)
      return unlockButton(other).isVisible()
    })
    .toBe(true)
  await expectLocked(other)
  await page.bringToFront()
  await device.recognize(false)
  const sheet = await openLockSetting(page)
  await sheet.getByRole('button', { name: said.switchOff }).click()
  await expect(sheet.getByRole('alert')).toHaveText(said.staysOn)
  await expectLocked(other)
  await device.recognize(true)
  await sheet.getByRole('button', { name: said.switchOff }).click()
  await expect(page.getByText(said.isOff)).toBeVisible()
  await expectHome(other)
  await page.reload()
  await expect(page.getByRole('heading', { name: words.security })).toBeVisible()
})

sceneTest('a device without recognition shows a reason and no switch', async ({ page }) => {
  await openScene(page, 'app-lock-unsupported')
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('alert')).toHaveText(said.unsupported)
  await expect(sheet.getByRole('button', { name: said.switchOn })).toHaveCount(0)
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the lock covers an app started offline, and keeps its badge', async ({ page, context, server }) => {
    await openWithLock(page, server)
    await waitUntilInstalled(page)
    await context.setOffline(true)
    await page.reload()
    await expectLocked(page)
    await unlock(page)
    await expectHome(page)
    await context.setOffline(false)

    await page.addInitScript(emulateShownNotification)
    await page.goto('/?view=history')
    await expectLocked(page)
    await expect(page.locator('search')).toBeAttached()
    expect(await page.evaluate(readShownNotification)).toEqual({ isShown: true, badge: 1 })
    await unlock(page)
    await expect.poll(() => page.evaluate(readShownNotification)).toEqual({ isShown: false, badge: 0 })
  })
})
