import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { letArrive, ONGOING, transferBy } from './steps/deliveries.ts'
import { openFromMenu, openRow, pressKey } from './steps/pages.ts'
import {
  answerPermission,
  bePushed,
  deliverPush,
  noPushManager,
  pressNotification,
  pushed,
  shownNotifications,
  showSomething,
  watchNotifications,
} from './steps/push.ts'
import { closeReceipt, receiptSheet, sendMoney } from './steps/transfer.ts'
import { alert, arriveHome, enter, signOut } from './steps/waysIn.ts'
import { texts } from './texts.ts'
import { words } from './words.ts'

// What is told with the app closed: the settings, the worker, and the end of it.
test.use({
  settings: { DELIVERY_PROVIDERS: 'mtn,byHand' },
  serviceWorkers: 'allow',
  expectedErrors: [BROKEN_CALLS],
})

const said = texts({
  closed: 'Quand l’application est fermée',
  choice: 'Transfert remis ou remboursé',
  // The worker has no catalogs.
  delivered: { fr: 'Transfert remis', en: 'Transfer delivered' },
  body: {
    fr: 'Votre transfert de 100,00 € a été remis au numéro qui se termine par 53.',
    en: 'Your transfer of €100.00 was delivered to the number that ends in 53.',
  },
  blocked:
    'Votre navigateur bloque nos notifications. Autorisez-les pour ce site dans ses réglages, puis revenez ici.',
  dismissed: 'Vous n’avez pas répondu à la question du navigateur. Cochez la case pour la revoir.',
  failed: 'Votre choix n’a pas pu être enregistré. Vérifiez votre connexion, puis réessayez.',
  onIos:
    'Sur iPhone et iPad, ajoutez d’abord Passerelle à l’écran d’accueil depuis le menu Partager. Ouvrez-la ensuite de là, et revenez ici.',
  elsewhere:
    'Ce navigateur ne reçoit pas de notifications quand l’application est fermée. Essayez avec un autre navigateur récent.',
  noService: 'Ce navigateur ne peut pas recevoir nos notifications. Essayez avec un autre navigateur récent.',
})

async function payOngoing(page: Page) {
  await sendMoney(page, { amount: '100', phone: ONGOING })
  await closeReceipt(page)
}

async function openNotifications(page: Page) {
  await openFromMenu(page, words.settings)
  await openRow(page, words.notifications)
}

async function switchOn(page: Page, label: string) {
  await openNotifications(page)
  const choice = page.getByLabel(label)
  await expect(choice).not.toBeChecked()
  await choice.click()
  await expect(choice).toBeChecked()
}

const devicesOf = (server: Server, uid: string) => server.documents('pushSubscriptions', 'uid', uid)

/** The browser's own subscription, as `bePushed` keeps it. */
const browsersOwn = (page: Page) => page.evaluate(() => localStorage.getItem('test.push'))

/** What the server has sent to the browser of the page. */
async function sentTo(server: Server, page: Page) {
  const { endpoint } = JSON.parse((await browsersOwn(page)) ?? '{}')
  return (await pushed(server)).filter((message) => message.endpoint === endpoint)
}

test('who wants it is told once that money arrived, and opens its receipt @spec-push', async ({
  page,
  context,
  server,
  language,
}) => {
  await page.addInitScript(bePushed)
  const person = await arriveHome(page, server)
  await payOngoing(page)
  const { id } = await transferBy(server, person)
  await openNotifications(page)
  await expect(page.getByRole('heading', { name: said.closed })).toBeVisible()
  // By keyboard, as by finger.
  const choice = page.getByLabel(said.choice)
  await expect(choice).not.toBeChecked()
  await pressKey(choice, 'Space')
  await expect(choice).toBeChecked()
  expect(await devicesOf(server, person.uid)).toMatchObject([{ language }])

  await watchNotifications(context)
  await letArrive(server, person)
  await expect.poll(async () => (await sentTo(server, page)).length).toBe(1)
  const [message] = await sentTo(server, page)
  const shown = [{ title: said.delivered, body: said.body, tag: id, lang: language }]
  // The push service may deliver it twice.
  for (let times = 0; times < 2; times += 1) {
    await deliverPush(context, page, server, message?.text ?? '')
    await expect.poll(() => shownNotifications(context)).toEqual(shown)
  }
  // The app is open: it comes to the front as it is, with the receipt over it.
  await page.evaluate(() => Object.assign(window, { isAsItWas: true }))
  expect(await pressNotification(context)).toBe(null)
  const receipt = receiptSheet(page)
  await expect(receipt.getByText(id)).toBeVisible()
  expect(await page.evaluate(() => 'isAsItWas' in window)).toBe(true)
  await expect.poll(() => shownNotifications(context)).toEqual([])

  // The app is closed, and another page of the site is open: it opens with the receipt.
  await deliverPush(context, page, server, message?.text ?? '')
  await expect.poll(() => shownNotifications(context)).toEqual(shown)
  await page.goto('/robots.txt')
  expect(await pressNotification(context)).toBe(`/?transaction=${id}`)
  await page.goto(`/?transaction=${id}`)
  await expect(receipt.getByText(id)).toBeVisible()

  // Switched off, the server has nothing to send to.
  await page.goto('/')
  await openNotifications(page)
  await expect(page.getByLabel(said.choice)).toBeChecked()
  await page.getByLabel(said.choice).click()
  await expect(page.getByLabel(said.choice)).not.toBeChecked()
  // Nobody waits long for the server.
  await expect.poll(() => devicesOf(server, person.uid)).toEqual([])
  expect(await browsersOwn(page)).toBe(null)
})

test('who changes the password is told still, on the device on which they did', async ({ page, server }) => {
  await page.addInitScript(bePushed)
  const person = await arriveHome(page, server)
  await payOngoing(page)
  await switchOn(page, said.choice)
  const [before] = await devicesOf(server, person.uid)
  await page.getByRole('button', { name: words.back }).click()
  await openFromMenu(page, words.profile)
  await openRow(page, words.security)
  const next = 'Konkouré2026'
  await page.getByLabel(words.currentPassword, { exact: true }).fill(person.password)
  await page.getByLabel(words.newPassword, { exact: true }).fill(next)
  await page.getByLabel(words.passwordAgain, { exact: true }).fill(next)
  await page.getByRole('button', { name: words.changePassword }).click()
  await expect(page.getByText(words.passwordChanged)).toBeVisible()
  await expect
    .poll(async () => (await devicesOf(server, person.uid))[0]?.issuedAt)
    .not.toEqual(before?.issuedAt)
  await letArrive(server, person)
  await expect.poll(async () => (await sentTo(server, page)).length).toBe(1)
})

test('something is shown for each message, even for one that the worker can not read', async ({
  page,
  context,
  server,
}) => {
  await arriveHome(page, server)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await watchNotifications(context)
  for (const text of ['no JSON', '', '{"kind":"news of a newer server"}']) {
    await deliverPush(context, page, server, text)
    await expect
      .poll(() => shownNotifications(context))
      .toEqual([
        {
          title: 'Passerelle',
          body: 'Il y a du nouveau sur vos transferts. Ouvrez l’application pour le voir.',
          tag: 'passerelle',
          lang: 'fr',
        },
      ])
    expect(await pressNotification(context)).toBe(null)
    await expect.poll(() => shownNotifications(context)).toEqual([])
  }
})

test('a sign-out ends it, with and without a network', async ({ page, context, server }) => {
  await page.addInitScript(bePushed)
  const person = await arriveHome(page, server)
  const { uid } = person
  await payOngoing(page)
  await switchOn(page, said.choice)
  await page.evaluate(showSomething)
  await signOut(page)
  await expect.poll(() => devicesOf(server, uid)).toEqual([])
  expect(await browsersOwn(page)).toBe(null)
  // What was shown for somebody who has left is not for whoever comes next.
  expect(await page.evaluate(() => 'isShown' in window && window.isShown)).toBe(false)

  await enter(page, server, person)
  await switchOn(page, said.choice)
  const [device] = await devicesOf(server, uid)
  await context.setOffline(true)
  await signOut(page)
  expect(await browsersOwn(page)).toBe(null)
  expect(await page.evaluate(() => localStorage.getItem('passerelle.push'))).toBe(null)
  await context.setOffline(false)
  // The server learns it from the push service.
  expect(await devicesOf(server, uid)).toHaveLength(1)
  const ended = new URLSearchParams({ endpoint: String(device?.endpoint) })
  await fetch(`${server.origin}/push/subscriptions?${ended}`, { method: 'DELETE' })
  await letArrive(server, person)
  await expect.poll(() => devicesOf(server, uid)).toEqual([])
  expect((await pushed(server)).map(({ endpoint }) => endpoint)).not.toContain(device?.endpoint)
})

test('a device that changes hands tells the one who is signed in on it', async ({ page, server }) => {
  await page.addInitScript(bePushed)
  const first = await arriveHome(page, server)
  await switchOn(page, said.choice)
  const kept = await browsersOwn(page)
  // The browser has kept the subscription, whatever went wrong.
  await signOut(page)
  await page.evaluate((value) => localStorage.setItem('test.push', value ?? ''), kept)
  const second = await arriveHome(page, server)
  await switchOn(page, said.choice)
  await expect.poll(() => devicesOf(server, first.uid)).toEqual([])
  expect(await devicesOf(server, second.uid)).toHaveLength(1)
})

test('a browser that has a new address, and a person with another language, are brought up to date', async ({
  page,
  server,
  language,
}) => {
  await page.addInitScript(bePushed)
  const { uid } = await arriveHome(page, server)
  await switchOn(page, said.choice)
  const before = await browsersOwn(page)
  await page.evaluate(() => localStorage.removeItem('test.push'))
  await page.goto('/')
  await expect.poll(() => browsersOwn(page)).not.toBe(null)
  expect(await browsersOwn(page)).not.toBe(before)
  const { endpoint } = JSON.parse((await browsersOwn(page)) ?? '{}')
  const told = async () => (await devicesOf(server, uid)).map((device) => [device.endpoint, device.language])
  await expect.poll(told).toContainEqual([endpoint, language])
  const other = language === 'fr' ? 'en' : 'fr'
  await page.evaluate((chosen) => localStorage.setItem('passerelle.language', JSON.stringify(chosen)), other)
  await page.reload()
  await expect.poll(told).toContainEqual([endpoint, other])
})

test('what keeps it from being switched on is said, with what to do @spec-push-refused', async ({
  browser,
  server,
}) => {
  /** In a browser of its own. */
  const tryIn = async (prepare: (page: Page) => Promise<unknown>, see: (page: Page) => Promise<void>) => {
    const context = await browser.newContext({ baseURL: server.origin, locale: 'fr-FR' })
    const page = await context.newPage()
    await prepare(page)
    await arriveHome(page, server)
    await openNotifications(page)
    await see(page)
    await context.close()
  }
  const answering = (answer: NotificationPermission) => async (page: Page) => {
    await page.addInitScript(bePushed)
    await page.addInitScript(answerPermission, answer)
  }
  const choice = (page: Page) => page.getByLabel(said.choice)
  const expectRefused = async (page: Page, why: string) => {
    await choice(page).click()
    await expect(alert(page)).toContainText(why)
    await expect(choice(page)).not.toBeChecked()
  }

  await tryIn(
    (page) =>
      page.addInitScript(() => Object.defineProperty(Notification, 'permission', { value: 'denied' })),
    async (page) => {
      await expect(alert(page)).toContainText(said.blocked)
      await expect(choice(page)).toBeDisabled()
    },
  )

  await tryIn(answering('default'), async (page) => {
    await expectRefused(page, said.dismissed)
    await page.evaluate(answerPermission, 'denied' as const)
    await expectRefused(page, said.blocked)
    await expect(choice(page)).toBeDisabled()
    await expect(choice(page)).toBeFocused()
  })

  await tryIn(answering('granted'), async (page) => {
    await page.route('**/push-subscription', (route) => route.abort())
    await expectRefused(page, said.failed)
    // Nothing is left that would be told.
    expect(await browsersOwn(page)).toBe(null)
    await page.unroute('**/push-subscription')
    await choice(page).click()
    await expect(choice(page)).toBeChecked()
  })

  await tryIn(answering('granted'), async (page) => {
    await page.route('**/push/subscriptions', async (route) => {
      const response = await route.fetch()
      const subscribed = { ...(await response.json()), endpoint: 'https://push.example/1' }
      await route.fulfill({ json: subscribed })
    })
    await expectRefused(page, said.noService)
  })

  await tryIn(
    async (page) => {
      await page.addInitScript(noPushManager)
      await page.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: false }))
    },
    async (page) => {
      await expect(page.getByText(said.onIos)).toBeVisible()
      await expect(choice(page)).toBeHidden()
    },
  )

  await tryIn(
    (page) => page.addInitScript(noPushManager),
    (page) => expect(page.getByText(said.elsewhere)).toBeVisible(),
  )
})
