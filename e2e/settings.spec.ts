import type { Page } from '@playwright/test'
import { MONTHLY_CAP_EUR_CENTS } from '../domain/limits.ts'
import { SUPPORT_CLOSES_AT, SUPPORT_OPENS_AT } from '../domain/supportHours.ts'
import { SENT } from '../domain/transaction.samples.ts'
import { authError } from './authErrors.ts'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { nextAnswer } from './steps/answers.ts'
import { writeContact } from './steps/contacts.ts'
import { expectNoDatabase, holdNewVersion } from './steps/device.ts'
import { holdBack } from './steps/faults.ts'
import { day, price } from './steps/moneyTexts.ts'
import {
  expectHome,
  openContact,
  openFromBar,
  openFromMenu,
  openProfile,
  openRow,
  openSecurity,
  pressKey,
} from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import { activityRows, receiptSheet } from './steps/transfer.ts'
import { arriveHome, enter, signIn, signOut } from './steps/waysIn.ts'
import { pattern, say, speakIn, texts } from './texts.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALLS] })

const said = texts({
  cap: () =>
    say(
      'Vous pouvez envoyer jusqu’à {cap} par mois, frais compris. Le prochain mois commence le {nextMonth}.',
      { cap: price(MONTHLY_CAP_EUR_CENTS), nextMonth: day(Date.UTC(2026, 11, 1)) },
    ),
  hours: () =>
    say('Du lundi au vendredi, de {SUPPORT_OPENS_AT} h à {SUPPORT_CLOSES_AT} h, heure de Paris.', {
      ...{ SUPPORT_OPENS_AT, SUPPORT_CLOSES_AT },
    }),
  open: () => say('Ouvert maintenant, jusqu’à {time} à votre heure.', { time: '13:00' }),
  closed: {
    fr: /Fermé pour l’instant.; ouvre lundi à 03:00 à votre heure\./,
    en: 'Closed right now; opens Monday at 03:00 your time.',
  },
  planRunning: 'Votre forfait court encore. Rien n’est supprimé. Résiliez-le d’abord dans les paramètres.',
  paymentOpen:
    'Un paiement est encore en cours. Rien n’est supprimé. Réessayez quand il est terminé, dans une heure au plus tard.',
  expectedEarlier: () => pattern('Arrivée prévue le {text}', '\\d+ \\p{L}+ \\d{4} (?:à|at) 2[123]:\\d\\d'),
  notKnown:
    'Pas de réponse du réseau : nous ne savons pas si la suppression a commencé. Réessayez, c’est sans risque.',
  capStays: 'ce que vous avez envoyé ce mois-ci, jusqu’à la fin du mois : un nouveau compte garde ce plafond',
})

const HOUR = 3_600_000

async function arrive(page: Page, server: Server) {
  const person = somebody()
  const uid = await server.register(person)
  await enter(page, server, person)
  return { ...person, uid }
}

const sentAt = (uid: string, id: string, ms: number) => {
  const createdAt = new Date(ms)
  return {
    ...SENT,
    id,
    senderId: uid,
    createdAt,
    settledAt: createdAt,
    estimatedArrival: new Date(ms + HOUR),
  }
}

const title = (page: Page) => page.getByRole('heading', { level: 1 })
/** The databases of the person on a device. */
const goBack = (page: Page) => page.getByRole('button', { name: words.back }).click()

test('every part of the app is in reach, and one step back is the home screen @spec-navigation', async ({
  page,
  server,
}, { project }) => {
  await arrive(page, server)
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
  await page.reload()
  await expect(title(page)).toHaveText(words.settings)

  await openRow(page, words.security)
  await goBack(page)
  await expect(title(page)).toHaveText(words.settings)
  await openRow(page, words.notifications)
  const send = project.name === 'phone' ? { name: /^Envoyer$/ } : { name: words.send }
  await page.getByRole('navigation').getByRole('button', send).click()
  await expectHome(page)
  await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
  await openProfile(page)
  await openRow(page, words.security)
})

test('a language that is chosen in one tab is that of the others, and what is typed there stays', async ({
  page,
  context,
  server,
  language,
}) => {
  await arriveHome(page, server)
  await page.getByLabel(words.amount).fill('321')
  const otherTab = await context.newPage()
  await otherTab.goto('/settings')
  const other = language === 'fr' ? 'en' : 'fr'
  await otherTab
    .getByRole('combobox', { name: /langue|language/i })
    .selectOption({ label: other === 'en' ? 'English' : 'Français' })
  await expect(page.locator('html')).toHaveAttribute('lang', other)
  speakIn(other)
  await expect(page.getByLabel(words.amount)).toHaveValue('321')
})

test('who signs in next finds none of the pages of who was here before, neither by Back nor by a reload', async ({
  page,
  server,
}) => {
  await arrive(page, server)
  await openSecurity(page)
  await signOut(page)
  const next = somebody()
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

test.describe('elsewhere than in Paris', () => {
  test.use({ timezoneId: 'America/Toronto' })

  test('the settings say what can be sent, and speak the language that is chosen; the support is reached by phone, mail and chat @spec-settings', async ({
    page,
    context,
    server,
    language,
  }) => {
    await arrive(page, server)
    // Not sooner: by its sign-in the app learns the time of the server, which is that of today.
    await page.clock.setFixedTime(Date.UTC(2026, 10, 20, 15))
    await openContact(page)
    const dialog = page.getByRole('dialog', { name: words.contactUs })
    await expect(dialog.getByText(said.hours)).toBeVisible()
    await expect(dialog.getByText(said.open)).toBeVisible()
    await expect(dialog.locator('a[href="tel:+33199001234"]')).toBeVisible()
    await expect(dialog.locator('a[href="mailto:aide@passerelle.example"]')).toBeVisible()
    const opened = context.waitForEvent('page')
    await dialog.locator('a[target=_blank]').click()
    await expect((await opened).getByRole('heading', { name: 'Chat of the support' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()

    await openFromMenu(page, words.settings)
    await expect(page.getByText(said.cap)).toBeVisible()
    const plans = page.getByRole('button', { name: words.viewPlans })
    await expect(plans).toHaveAttribute('aria-expanded', 'false')
    await plans.click()
    await page.getByRole('button', { name: words.hidePlans, expanded: true }).click()
    await expect(plans).toBeVisible()

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

/** Lets a quarter of an hour pass at once. A question that is under way then would have had no answer in time. */
async function passQuarter(page: Page) {
  await page.waitForLoadState('networkidle')
  await page.clock.fastForward('15:00')
}

test.describe('what the app announces', () => {
  // Where it is about ten in the morning: no midnight comes between.
  const zone = (new Date().getUTCHours() + 14) % 24
  test.use({ timezoneId: `Etc/GMT${zone > 12 ? '' : '+'}${zone > 12 ? zone - 24 : zone}` })

  test('that the expected time of a transfer has come: once, and only to who wants to know', async ({
    page,
    server,
  }) => {
    const now = Date.now()
    await page.clock.install({ time: now })
    const person = somebody()
    const uid = await server.register(person)
    for (const [id, minutes] of [
      ['old', -70],
      ['soon', -50],
      ['later', -40],
    ] as const)
      await server.write(`transactions/${id}${uid}`, sentAt(uid, `${id}${uid}`, now + minutes * 60_000))
    await enter(page, server, person)
    await expect(activityRows(page)).toHaveCount(3)
    const notice = page.getByText(words.expectedBy)
    await expect(notice).toBeHidden()
    await passQuarter(page)
    await expect(notice).toBeVisible()
    // Nobody has read it before that.
    await page.clock.runFor(500)
    await page.getByRole('button', { name: words.seeTransfer }).click()
    await expect(receiptSheet(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(notice).toBeHidden()

    await openFromMenu(page, words.settings)
    await openRow(page, words.notifications)
    await page.getByLabel(words.arrivalChoice).uncheck()
    // What lies under the page asks for the transfers once nothing better is to do.
    const asked = nextAnswer(page, 'transactions')
    await page.reload()
    await expect(page.getByLabel(words.arrivalChoice)).not.toBeChecked()
    await asked
    await passQuarter(page)
    await goBack(page)
    await goBack(page)
    await expect(activityRows(page)).toHaveCount(3)
    await expect(notice).toBeHidden()
    await page.goForward()
    await page.goForward()
    await page.getByLabel(words.arrivalChoice).check()
    await goBack(page)
    await goBack(page)
    await page.clock.runFor(500)
    await pressKey(page.getByRole('button', { name: words.noted }))
    await expect(notice).toBeHidden()
    await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
  })

  test('each arrival, also where a tap that was meant for another one is doubled', async ({
    page,
    server,
  }) => {
    const now = Date.now()
    await page.clock.install({ time: now })
    await page.addInitScript((at) => localStorage.setItem('passerelle.arrivalsTold', at), `${now - 4 * HOUR}`)
    const person = somebody()
    const uid = await server.register(person)
    await server.write(`transactions/first${uid}`, sentAt(uid, `first${uid}`, now - 3 * HOUR))
    const recipientPhone = '+224621111111'
    const second = { ...sentAt(uid, `second${uid}`, now - 2 * HOUR), recipientPhone }
    await server.write(`transactions/second${uid}`, second)
    await enter(page, server, person)
    const noted = page.getByRole('button', { name: words.noted })
    await expect(page.getByRole('status').getByText('+224 620 00 00 00')).toBeVisible()
    await page.clock.runFor(500)
    await noted.evaluate(async (button) => {
      const { x, y, width, height } = button.getBoundingClientRect()
      const place = button.closest('[role=status]')
      const said = place?.textContent
      const tap = () =>
        document
          .elementFromPoint(x + width / 2, y + height / 2)
          ?.closest('button')
          ?.click()
      tap()
      while (place?.textContent === said) await new Promise(requestAnimationFrame)
      tap()
    })
    await expect(page.getByRole('status').getByText('+224 621 11 11 11')).toBeVisible()
    await page.clock.runFor(500)
    await noted.click()
    await expect(noted).toBeHidden()
  })

  test('that a transfer was expected the evening before, with its day', async ({ page, server }) => {
    const now = Date.now()
    await page.addInitScript(
      (at) => localStorage.setItem('passerelle.arrivalsTold', at),
      `${now - 14 * HOUR}`,
    )
    const person = somebody()
    const uid = await server.register(person)
    await server.write(`transactions/evening${uid}`, sentAt(uid, `evening${uid}`, now - 13 * HOUR))
    await enter(page, server, person)
    await expect(page.getByText(said.expectedEarlier)).toBeVisible()
  })

  test('that there is a new version, to who wants to know', async ({ page, server }) => {
    await page.addInitScript(holdNewVersion)
    await arrive(page, server)
    const offer = page.getByText(words.updateReady)
    await expect(offer).toBeVisible()
    await openFromMenu(page, words.settings)
    await openRow(page, words.notifications)
    await page.getByLabel(words.versionChoice).uncheck()
    await expect(offer).toBeHidden()
    await page.getByLabel(words.versionChoice).check()
    await expect(offer).toBeVisible()
  })
})

test('who signs out everywhere is signed out on the other devices too', async ({ page, browser, server }) => {
  const person = await arrive(page, server)
  const lost = await (await browser.newContext({ baseURL: server.origin })).newPage()
  await enter(lost, server, person)

  await openSecurity(page)
  await page.getByRole('button', { name: words.signOutEverywhere }).click()
  const dialog = page.getByRole('dialog')
  await page.route('**/sign-out-everywhere', (route) => route.abort(), { times: 1 })
  const cutNow = await holdBack(page, '**/sign-out-everywhere')
  const again = dialog.getByRole('button', { name: words.signOutEverywhere })
  await pressKey(again)
  // The answer is waited for, beside the button that asked.
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

test('an account is deleted by who proves to be its owner, when nothing is open', async ({
  page,
  server,
}) => {
  const person = await arrive(page, server)
  const { uid, email } = person
  await writeContact(server, uid, 'Mariama', '+224620000000')
  await server.write(`transactions/pi_${uid}`, sentAt(uid, `pi_${uid}`, Date.now()))
  const [profile] = await server.documents('users', 'email', email)
  const withPlan = (status: string | null) =>
    server.write(`users/${uid}`, {
      ...profile,
      createdAt: new Date(),
      subscription: {
        tier: status && 'basic',
        status,
        transactionsLeft: status ? 2 : null,
        startDate: null,
        lastReset: null,
        stripeSubscriptionId: status && 'sub_1',
        cancelAt: null,
      },
    })
  await withPlan('active')
  await server.write(`attempts/${uid}`, { uid, status: 'reserved', createdAt: Date.now() })

  await openSecurity(page)
  await page.getByRole('button', { name: words.deleteAccount }).click()
  const dialog = page.getByRole('dialog')
  const remove = dialog.getByRole('button', { name: words.deleteForGood })
  await expect(remove).toBeDisabled()
  await expect(dialog.getByText(said.capStays, { exact: true })).toBeVisible()
  await page.getByLabel(words.understood).check()
  await remove.click()
  await expect(dialog.getByRole('alert')).toContainText(said.paymentOpen)
  await server.remove(`attempts/${uid}`)
  await remove.click()
  await expect(dialog.getByRole('alert')).toContainText(said.planRunning)
  await withPlan(null)

  const refusal = { code: 'recentSignInRequired', error: '', message: '' }
  const old = () =>
    page.route('**/delete-account', (route) => route.fulfill({ status: 403, json: refusal }), { times: 1 })
  const proof = page.getByRole('dialog', { name: words.proof })
  await old()
  await remove.click()
  await proof.getByRole('button', { name: words.close }).click()
  await expect(dialog.getByRole('alert')).toHaveText(authError('requires-recent-login'))
  await expect(page.getByLabel(words.understood)).toBeChecked()

  // The route that was laid last is taken first: a refusal, then an answer that is lost.
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
