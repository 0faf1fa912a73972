import type { Page } from '@playwright/test'
import { HOUR } from '../domain/common/duration.ts'
import { SUPPORT_CLOSES_AT, SUPPORT_OPENS_AT } from '../domain/common/supportHours.ts'
import { MONTHLY_CAP_EUR_CENTS } from '../domain/prices/limits.ts'
import { SENT_TRANSFER } from '../domain/transfers/transaction.samples.ts'
import { SCENE_TIME } from '../scenes/scene.ts'
import { buildPaidTransfer } from '../scenes/transactions.ts'
import { getAuthErrorText } from './authErrors.ts'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { writeContact } from './steps/contacts.ts'
import { comeBack, expectNoDatabase, listDatabases } from './steps/device.ts'
import { delayRequests } from './steps/faults.ts'
import { formatPriceText, refuse } from './steps/moneyTexts.ts'
import {
  expectHome,
  openFromBar,
  openFromMenu,
  openFromRow,
  openProfile,
  openSecurity,
  openSetting,
  openSupport,
  pressKey,
  pressWhenRead,
} from './steps/pages.ts'
import { createPerson } from './steps/person.ts'
import { countCalls, openScene, setResponse, setTime } from './steps/scenes.ts'
import { openSignedInHome, registerAndOpenHome, signIn, signOut } from './steps/signIn.ts'
import { activityRows, closeReceipt, receiptSheet } from './steps/transfer.ts'
import { buildTextPattern, defineTexts, getText } from './texts.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const said = defineTexts({
  cap: () => getText('{cap} par mois, frais compris', { cap: formatPriceText(MONTHLY_CAP_EUR_CENTS) }),
  hours: () =>
    getText('Du lundi au vendredi, de {SUPPORT_OPENS_AT} h à {SUPPORT_CLOSES_AT} h, heure de Paris.', {
      ...{ SUPPORT_OPENS_AT, SUPPORT_CLOSES_AT },
    }),
  open: () => getText('Ouvert maintenant, jusqu’à {time} à votre heure.', { time: '13:00' }),
  closed: {
    fr: /Fermé pour l’instant.; ouvre lundi à 03:00 à votre heure\./,
    en: 'Closed right now; opens Monday at 03:00 your time.',
  },
  planRunning: 'Votre forfait court encore. Rien n’est supprimé. Résiliez-le d’abord dans le portefeuille.',
  paymentOpen:
    'Un paiement est encore en cours. Rien n’est supprimé. Réessayez quand il est terminé, dans une heure au plus tard.',
  expectedEarlier: () =>
    buildTextPattern('Arrivée prévue le {text}', '\\d+ \\p{L}+ \\d{4} (?:à|at) 2[123]:\\d\\d'),
  notKnown:
    'Pas de réponse du réseau : nous ne savons pas si la suppression a commencé. Réessayez, c’est sans risque.',
  capStays: 'ce que vous avez envoyé ce mois-ci, jusqu’à la fin du mois : un nouveau compte garde ce plafond',
})

const title = (page: Page) => page.getByRole('heading', { level: 1 })
const goBack = (page: Page) => page.getByRole('button', { name: words.back }).click()

sceneTest(
  'every page opens from bar, menu or page, and Back returns @spec-navigation @desk',
  async ({ page, language }) => {
    await openScene(page, 'home-empty')
    for (const name of [words.invoices, words.wallet]) {
      await openFromBar(page, name)
      await expect(title(page)).toBeFocused()
      await expect(page.getByRole('navigation').getByRole('button', { name, exact: true })).toHaveAttribute(
        'aria-current',
        'page',
      )
    }
    await goBack(page)
    await expectHome(page)
    for (const name of [words.identity, words.contacts, words.settings]) await openFromMenu(page, name)
    await openFromRow(page, words.security)
    await goBack(page)
    await expect(title(page)).toHaveText(words.settings)
    await openFromRow(page, words.notifications)
    const send = language === 'fr' ? { name: /^Envoyer$/ } : { name: words.send }
    await page.getByRole('navigation').getByRole('button', send).click()
    await expectHome(page)
    await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
    await openProfile(page)
    await openFromRow(page, words.security)
  },
)

sceneTest('Back leaves a page while a transfer is reserved @spec-navigation', async ({ page }) => {
  await openScene(page, 'transfer-reserving')
  for (const name of [words.invoices, words.wallet]) {
    await openFromBar(page, name)
    await goBack(page)
    await expectHome(page)
  }
})

sceneTest('the bars leave no page whose payment is being reserved @spec-navigation', async ({ page }) => {
  await openScene(page, 'invoice-reserving')
  await page.getByRole('navigation').getByRole('button', { name: words.wallet, exact: true }).click()
  await expect(title(page)).toHaveText(words.invoices)
})

test('the password’s well-known URL leads through the sign-in @all', async ({ page, server }) => {
  const person = createPerson()
  await server.register(person)
  await page.goto('/.well-known/change-password')
  await signIn(page, person)
  await expect(title(page)).toHaveText(words.security)
  await openSetting(page, words.yourPassword)
})

test('the next user does not reach the previous one’s page @desk', async ({ page, server }) => {
  await registerAndOpenHome(page, server)
  await openSecurity(page)
  await signOut(page)
  const next = createPerson()
  await server.register(next)
  await signIn(page, next)
  await expectHome(page)
  await page.goBack()
  await expectHome(page)
  await page.reload()
  await expectHome(page)

  await openFromBar(page, words.wallet)
  await page.reload()
  await expect(title(page)).toHaveText(words.wallet)
  await page.getByRole('button', { name: words.back }).click()
  await expectHome(page)
})

test.describe('a user outside the Paris time zone', () => {
  test.use({ timezoneId: 'America/Toronto' })

  test('support shows its hours in the user’s zone, settings the rest @spec-settings @desk', async ({
    page,
    context,
    server,
    language,
  }) => {
    await registerAndOpenHome(page, server)
    // Set after the sign-in, which tells the app the server's time.
    await page.clock.setFixedTime(Date.UTC(2026, 10, 20, 15))
    await openSupport(page)
    const dialog = page.getByRole('dialog', { name: words.contactUs })
    await expect(dialog.getByText(said.hours)).toBeVisible()
    await expect(dialog.getByText(said.open)).toBeVisible()
    await expect(dialog.locator('a[href="tel:+33199001234"]')).toBeVisible()
    await expect(dialog.locator('a[href="mailto:aide@passerelle.example"]')).toBeVisible()
    const opened = context.waitForEvent('page')
    await dialog.locator('a[target=_blank]').click()
    await expect((await opened).getByRole('heading', { name: 'Support chat' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()

    await openFromMenu(page, words.settings)
    await expect(page.getByText(said.cap)).toBeVisible()
    await page.getByRole('button', { name: words.viewPlans }).click()
    await expect(page.getByRole('heading', { level: 1, name: words.wallet })).toBeVisible()
    await page.getByRole('button', { name: words.back }).click()
    await expect(page.getByRole('heading', { level: 1, name: words.settings })).toBeVisible()

    await page.clock.setFixedTime(Date.UTC(2026, 10, 20, 18))
    await page
      .getByRole('main')
      .getByRole('button', { name: new RegExp(`^${words.help}`) })
      .click()
    await expect(dialog.getByText(said.closed)).toBeVisible()
    await page.keyboard.press('Escape')

    const other = language === 'fr' ? 'en' : 'fr'
    await page.getByLabel(words.appLanguage).selectOption(other)
    await expect(page.locator('html')).toHaveAttribute('lang', other)
    await page.reload()
    await expect(title(page)).toHaveText(other === 'fr' ? 'Paramètres' : 'Settings')
  })
})

sceneTest('a due arrival is announced once, unless switched off @desk', async ({ page }) => {
  // The first was due before the app began to announce; the second is due in a few seconds.
  const transactions = [70, 59.95, 40].map((minutes, index) =>
    buildPaidTransfer(minutes / 60, { id: `pi_${index}`, recipientPhone: `+22462000000${index}` }),
  )
  const notice = page.getByRole('status').filter({ hasText: words.expectedBy })
  const leaveNotifications = async () => {
    await goBack(page)
    await goBack(page)
    await expectHome(page)
  }
  await openScene(page, 'home-activity', { device: { arrivalsTold: SCENE_TIME }, rows: { transactions } })
  await expect(notice).toContainText('+224 620 00 00 01')
  await pressWhenRead(notice.getByRole('button', { name: words.seeTransfer }))
  await expect(receiptSheet(page)).toContainText('+224 620 00 00 01')
  await closeReceipt(page)

  await openFromMenu(page, words.settings)
  await openFromRow(page, words.notifications)
  await page.getByLabel(words.arrivalChoice).uncheck()
  await setTime(page, SCENE_TIME + HOUR)
  await comeBack(page)
  await leaveNotifications()
  await expect(notice).toBeHidden()
  await openFromMenu(page, words.settings)
  await openFromRow(page, words.notifications)
  await page.getByLabel(words.arrivalChoice).check()
  await leaveNotifications()
  await expect(notice).toContainText('+224 620 00 00 02')
  const noted = notice.getByRole('button', { name: words.noted })
  await noted.focus()
  await pressWhenRead(noted)
  await expect(page.getByRole('heading', { name: words.send })).toBeFocused()

  for (const device of [{ arrivalsTold: 1, muted: ['arrival'] as const }, {}]) {
    await openScene(page, 'home-activity', { device, rows: { transactions: transactions.slice(0, 1) } })
    await expect(activityRows(page)).toHaveCount(1)
    await expect(notice).toBeHidden()
  }
})

sceneTest('a double tap on one notice leaves the next @desk', async ({ page }) => {
  const transactions = [3, 15].map((hours) =>
    buildPaidTransfer(hours, { id: `pi_${hours}`, recipientPhone: `+2246200000${hours + 10}` }),
  )
  await openScene(page, 'home-activity', { device: { arrivalsTold: 1 }, rows: { transactions } })
  const notice = page.getByRole('status').filter({ has: page.getByRole('button', { name: words.noted }) })
  // The oldest arrival is announced first, with the date if it was due the evening before.
  await expect(notice).toContainText('+224 620 00 00 25')
  await expect(page.getByText(said.expectedEarlier)).toBeVisible()
  const noted = page.getByRole('button', { name: words.noted })
  await expect
    .poll(() =>
      noted.evaluate(async (button) => {
        const { x, y, width, height } = button.getBoundingClientRect()
        const place = button.closest('[role=status]')
        const said = place?.textContent
        const tap = () =>
          document
            .elementFromPoint(x + width / 2, y + height / 2)
            ?.closest('button')
            ?.click()
        tap()
        await new Promise(requestAnimationFrame)
        if (place?.textContent === said) return false
        tap()
        return true
      }),
    )
    .toBe(true)
  await expect(notice).toContainText('+224 620 00 00 13')
  await pressWhenRead(noted)
})

sceneTest('the app announces a new version, unless this is switched off @desk', async ({ page }) => {
  await openScene(page, 'home-update-ready')
  const offer = page.getByText(words.updateReady)
  await expect(offer).toBeVisible()
  await openFromMenu(page, words.settings)
  await openFromRow(page, words.notifications)
  await page.getByLabel(words.versionChoice).uncheck()
  await expect(offer).toBeHidden()
  await page.getByLabel(words.versionChoice).check()
  await expect(offer).toBeVisible()
})

test('signing out everywhere also signs out other devices @desk', async ({ page, browser, server }) => {
  const person = await registerAndOpenHome(page, server)
  const lost = await (await browser.newContext({ baseURL: server.origin })).newPage()
  await openSignedInHome(lost, server, person)

  await openSecurity(page)
  await page.getByRole('button', { name: words.signOutEverywhere }).click()
  const dialog = page.getByRole('dialog')
  await page.route('**/sign-out-everywhere', (route) => route.abort(), { times: 1 })
  const cutNow = await delayRequests(page, '**/sign-out-everywhere')
  const again = dialog.getByRole('button', { name: words.signOutEverywhere })
  await pressKey(again)
  await expect(dialog.getByRole('button', { name: words.close })).toBeHidden()
  await page.keyboard.press('Escape')
  cutNow()
  await expect(dialog.getByRole('alert')).toHaveText(words.noAnswer)
  await expect(again).toBeFocused()
  await page.unrouteAll()
  await again.click()
  await expect(page.getByRole('tab', { name: words.emailTab })).toBeVisible()

  await lost.reload()
  await expect(lost.getByRole('tab', { name: words.emailTab })).toBeVisible()
  await expectNoDatabase(lost, person.uid)
  await lost.context().close()
  await signIn(page, person)
  await expectHome(page)
})

sceneTest('a security sheet opens again without its earlier failure or tick @desk', async ({ page }) => {
  const dialog = page.getByRole('dialog')
  for (const [scene, setting] of [
    ['delete-account-refused', words.deleteAccount],
    ['sign-out-everywhere-failed', words.signOutEverywhere],
  ] as const) {
    await openScene(page, scene)
    await dialog.getByRole('button', { name: words.close }).click()
    await page.getByRole('button', { name: setting }).click()
    await expect(dialog.getByRole('heading')).toBeVisible()
    await expect(dialog.getByRole('alert')).toBeHidden()
    await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(0)
  }
})

sceneTest('an account with an open payment or plan is not deleted @desk', async ({ page }) => {
  await openScene(page, 'delete-account')
  const dialog = page.getByRole('dialog')
  const remove = dialog.getByRole('button', { name: words.deleteForGood })
  await expect(remove).toBeDisabled()
  await expect(dialog.getByText(said.capStays, { exact: true })).toBeVisible()
  await page.getByLabel(words.understood).check()
  for (const [code, text] of [
    ['paymentOpen', said.paymentOpen],
    ['planRunning', said.planRunning],
  ] as const) {
    await setResponse(page, 'accountEnd.deleteAccount', refuse(code))
    await remove.click()
    await expect(dialog.getByRole('alert')).toContainText(text)
  }
})

sceneTest('ending an account signs out no user who signed in meanwhile @desk', async ({ page }) => {
  for (const [call, open, confirm] of [
    ['accountEnd.signOutEverywhere', words.signOutEverywhere, words.signOutEverywhere],
    ['accountEnd.deleteAccount', words.deleteAccount, words.deleteForGood],
  ] as const) {
    await openScene(page, 'security')
    await setResponse(page, call, { value: false })
    await page.getByRole('button', { name: open }).click()
    if (open === words.deleteAccount) await page.getByLabel(words.understood).check()
    const button = page.getByRole('dialog').getByRole('button', { name: confirm })
    await button.click()
    await expect.poll(() => countCalls(page, call)).toBe(1)
    await expect(button).toBeEnabled()
    await expect(page.getByText(words.accountDeleted)).toBeHidden()
    expect(await countCalls(page, 'auth.signOut')).toBe(0)
  }
})

test('a user deletes the account, despite a lost response @desk', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  const { uid, email } = person
  await writeContact(server, uid, 'Mariama', '+224620000000')
  const at = new Date()
  const times = { createdAt: at, settledAt: at, estimatedArrival: at }
  const sent = { ...SENT_TRANSFER, id: `pi_${uid}`, senderId: uid, ...times }
  await server.write(`transactions/${sent.id}`, sent)
  await openSecurity(page)
  await page.getByRole('button', { name: words.deleteAccount }).click()
  const dialog = page.getByRole('dialog')
  const remove = dialog.getByRole('button', { name: words.deleteForGood })
  await page.getByLabel(words.understood).check()
  const refusal = { code: 'recentSignInRequired', error: '', message: '' }
  const old = () =>
    page.route('**/delete-account', (route) => route.fulfill({ status: 403, json: refusal }), { times: 1 })
  const proof = page.getByRole('dialog', { name: words.proof })
  await old()
  await remove.click()
  await proof.getByRole('button', { name: words.close }).click()
  await expect(dialog.getByRole('alert')).toHaveText(getAuthErrorText('requires-recent-login'))
  await expect(page.getByLabel(words.understood)).toBeChecked()

  // Playwright uses the last route first: a refusal, then a lost response.
  await page.route(
    '**/delete-account',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await old()
  await remove.click()
  await proof.getByLabel(words.currentPassword).fill(person.password)
  await proof.getByRole('button', { name: words.confirm }).click()
  await expect(dialog.getByRole('alert')).toContainText(said.notKnown)
  await remove.click()
  await expect(page.getByText(words.accountDeleted)).toBeVisible()
  await expect(page.getByRole('tab', { name: words.emailTab })).toBeVisible()

  for (const [collection, field] of [
    ['users', 'email'],
    ['contacts', 'userId'],
  ] as const)
    expect(await server.documents(collection, field, field === 'email' ? email : uid)).toEqual([])
  expect(await server.documents('transactions', 'senderId', uid)).toHaveLength(1)
  await signIn(page, person)
  await expect(page.getByText(words.addressUnknown)).toBeVisible()
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
