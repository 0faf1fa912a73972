import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, type Server, sceneTest, test, WITH_PAYOUTS } from './fixtures.ts'
import { completeMtnTransfer, MTN_ONGOING_NUMBER, readTransfer } from './steps/deliveries.ts'
import { NO_NETWORK, refuse } from './steps/moneyTexts.ts'
import { openFromMenu, openFromRow, openSetting, pressKey } from './steps/pages.ts'
import {
  deliverPush,
  emulatePushService,
  emulateShownNotification,
  fetchPushedMessages,
  pressNotification,
  readBadge,
  readShownNotification,
  readShownNotifications,
  watchNotifications,
} from './steps/push.ts'
import { openScene, setResponse } from './steps/scenes.ts'
import { mainAlert, openSignedInHome, registerAndOpenHome, signOut } from './steps/signIn.ts'
import { closeReceipt, receiptSheet, sendMoney } from './steps/transfer.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

test.use({
  settings: WITH_PAYOUTS,
  serviceWorkers: 'allow',
  expectedErrors: [BROKEN_CALL_ERRORS],
})

const said = defineTexts({
  closed: 'Quand l’application est fermée',
  choice: 'Transfert remis ou remboursé',
  // Texts of the service worker, which has no catalogs.
  delivered: { fr: 'Transfert remis', en: 'Transfer delivered' },
  body: {
    fr: 'Votre transfert de 100,00 € a été remis au numéro qui se termine par 53.',
    en: 'Your transfer of €100.00 was delivered to the number ending in 53.',
  },
  news: {
    fr: 'Il y a du nouveau sur vos transferts. Ouvrez l’application pour le voir.',
    en: 'There is news about your transfers. Open the app to see it.',
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
  await sendMoney(page, { amount: '100', phone: MTN_ONGOING_NUMBER })
  await closeReceipt(page)
}

async function openNotifications(page: Page) {
  await openFromMenu(page, words.settings)
  await openFromRow(page, words.notifications)
}

async function switchOn(page: Page, label: string) {
  await openNotifications(page)
  const choice = page.getByLabel(label)
  await expect(choice).not.toBeChecked()
  await choice.click()
  await expect(choice).toBeChecked()
}

const readPushSubscriptions = (server: Server, uid: string) =>
  server.documents('pushSubscriptions', 'uid', uid)

const readBrowserSubscription = (page: Page) => page.evaluate(() => localStorage.getItem('test.push'))

async function listSentMessages(server: Server, page: Page) {
  const { endpoint } = JSON.parse((await readBrowserSubscription(page)) ?? '{}')
  return (await fetchPushedMessages(server)).filter((message) => message.endpoint === endpoint)
}

test('a user gets one notification of a delivery, opening its receipt @spec-push', async ({
  page,
  context,
  server,
  language,
}) => {
  await page.addInitScript(emulatePushService)
  const person = await registerAndOpenHome(page, server)
  await payOngoing(page)
  const { id } = await readTransfer(server, person)
  await openNotifications(page)
  await expect(page.getByRole('heading', { name: said.closed })).toBeVisible()
  const choice = page.getByLabel(said.choice)
  await expect(choice).not.toBeChecked()
  await pressKey(choice, 'Space')
  await expect(choice).toBeChecked()
  expect(await readPushSubscriptions(server, person.uid)).toMatchObject([{ language }])

  await watchNotifications(context)
  await completeMtnTransfer(server, person)
  await expect.poll(async () => (await listSentMessages(server, page)).length).toBe(1)
  const [message] = await listSentMessages(server, page)
  const shown = [{ title: said.delivered, body: said.body, tag: id, lang: language }]
  // The push service may deliver a message twice.
  for (let times = 0; times < 2; times += 1) {
    await deliverPush(context, page, server, message?.text ?? '')
    await expect.poll(() => readShownNotifications(context)).toEqual(shown)
    await expect.poll(() => readBadge(context)).toBe(1)
  }
  // The open window is brought to the front in its present state, with the receipt over it.
  await page.evaluate(() => Object.assign(window, { isAsItWas: true }))
  expect(await pressNotification(context)).toBe(null)
  const receipt = receiptSheet(page)
  await receipt.getByText(words.allDetails).click()
  await expect(receipt.getByText(id)).toBeVisible()
  expect(await page.evaluate(() => 'isAsItWas' in window)).toBe(true)
  await expect.poll(() => readShownNotifications(context)).toEqual([])
  await expect.poll(() => readBadge(context)).toBe(0)

  // The worker can't read this message.
  await deliverPush(context, page, server, 'no JSON')
  const general = { title: 'Passerelle', body: said.news, tag: 'passerelle', lang: language }
  await expect.poll(() => readShownNotifications(context)).toEqual([general])
  expect(await pressNotification(context)).toBe(null)
  await expect.poll(() => readShownNotifications(context)).toEqual([])

  // The browser refuses to focus the window: the app opens in another one.
  await deliverPush(context, page, server, message?.text ?? '')
  await expect.poll(() => readShownNotifications(context)).toEqual(shown)
  expect(await pressNotification(context, { isFocusRefused: true })).toBe(`/?transaction=${id}`)

  // The app is closed, and another page of the site is open: the app opens with the receipt.
  await deliverPush(context, page, server, message?.text ?? '')
  await expect.poll(() => readShownNotifications(context)).toEqual(shown)
  await page.goto('/robots.txt')
  expect(await pressNotification(context)).toBe(`/?transaction=${id}`)
  await page.goto(`/?transaction=${id}`)
  await receipt.getByText(words.allDetails).click()
  await expect(receipt.getByText(id)).toBeVisible()
  // A reload does not open it again.
  await expect(page).toHaveURL('/')

  await page.goto('/')
  await openNotifications(page)
  await expect(page.getByLabel(said.choice)).toBeChecked()
  await page.getByLabel(said.choice).click()
  await expect(page.getByLabel(said.choice)).not.toBeChecked()
  await expect.poll(() => readPushSubscriptions(server, person.uid)).toEqual([])
  expect(await readBrowserSubscription(page)).toBe(null)
})

test('a device on which the password was changed still gets notifications @all', async ({ page, server }) => {
  await page.addInitScript(emulatePushService)
  const person = await registerAndOpenHome(page, server)
  await payOngoing(page)
  await switchOn(page, said.choice)
  const [before] = await readPushSubscriptions(server, person.uid)
  await page.getByRole('button', { name: words.back }).click()
  await openFromMenu(page, words.profile)
  await openFromRow(page, words.security)
  const own = await openSetting(page, words.yourPassword)
  const next = 'Konkouré2026'
  await own.getByLabel(words.currentPassword, { exact: true }).fill(person.password)
  await own.getByLabel(words.newPassword, { exact: true }).fill(next)
  await own.getByLabel(words.passwordAgain, { exact: true }).fill(next)
  await own.getByRole('button', { name: words.changePassword }).click()
  await expect(page.getByText(words.passwordChanged)).toBeVisible()
  await expect
    .poll(async () => (await readPushSubscriptions(server, person.uid))[0]?.issuedAt)
    .not.toEqual(before?.issuedAt)
  await completeMtnTransfer(server, person)
  await expect.poll(async () => (await listSentMessages(server, page)).length).toBe(1)
})

test('signing out unsubscribes the device, online and offline', async ({ page, context, server }) => {
  await page.addInitScript(emulatePushService)
  const person = await registerAndOpenHome(page, server)
  const { uid } = person
  await payOngoing(page)
  await switchOn(page, said.choice)
  await page.evaluate(emulateShownNotification)
  await signOut(page)
  await expect.poll(() => readPushSubscriptions(server, uid)).toEqual([])
  expect(await readBrowserSubscription(page)).toBe(null)
  expect(await page.evaluate(readShownNotification)).toEqual({ isShown: false, badge: 0 })

  await openSignedInHome(page, server, person)
  await switchOn(page, said.choice)
  const [device] = await readPushSubscriptions(server, uid)
  await context.setOffline(true)
  await signOut(page)
  expect(await readBrowserSubscription(page)).toBe(null)
  expect(await page.evaluate(() => localStorage.getItem('passerelle.push'))).toBe(null)
  await context.setOffline(false)
  // The server learns from the push service that the subscription has ended.
  expect(await readPushSubscriptions(server, uid)).toHaveLength(1)
  const ended = new URLSearchParams({ endpoint: String(device?.endpoint) })
  await fetch(`${server.origin}/push/subscriptions?${ended}`, { method: 'DELETE' })
  await completeMtnTransfer(server, person)
  await expect.poll(() => readPushSubscriptions(server, uid)).toEqual([])
  expect((await fetchPushedMessages(server)).map(({ endpoint }) => endpoint)).not.toContain(device?.endpoint)
})

/** Runs in a scene, whose browser has no push service. */
function emulatePushSupport({ permission = 'granted', answer = '', hasPush = true, isOnIos = false }) {
  if (!hasPush) Reflect.deleteProperty(window, 'PushManager')
  if (isOnIos) Object.defineProperty(navigator, 'standalone', { value: false })
  let kept: object | null = null
  const toJSON = () => ({ endpoint: 'https://push.example/1', keys: {} })
  const unsubscribe = async () => {
    kept = null
    return true
  }
  const pushManager = {
    getSubscription: async () => kept,
    subscribe: async () => (kept = { ...toJSON(), toJSON, options: {}, unsubscribe }),
  }
  const registration = { pushManager, getNotifications: async () => [] }
  const getRegistration = async () => registration
  Object.assign(navigator.serviceWorker, { ready: getRegistration(), getRegistration })
  Object.assign(Notification, { permission, requestPermission: async () => answer || permission })
}

sceneTest('a refused notification switch says why and what to do @spec-push-refused', async ({ page }) => {
  const SAVE = 'pushSubscriptions.savePushSubscription'
  const choice = page.getByLabel(said.choice)
  const open = async (support: Parameters<typeof emulatePushSupport>[0]) => {
    await openScene(page, 'settings')
    await page.evaluate(emulatePushSupport, support)
    await openFromRow(page, words.notifications)
  }
  const expectRefused = async (why: string) => {
    await choice.click()
    await expect(mainAlert(page)).toContainText(why)
    await expect(choice).not.toBeChecked()
  }
  await open({ permission: 'denied' })
  await expect(mainAlert(page)).toContainText(said.blocked)
  await expect(choice).toBeDisabled()

  await open({ permission: 'default' })
  await expectRefused(said.dismissed)
  await page.evaluate(emulatePushSupport, { permission: 'default', answer: 'denied' })
  await expectRefused(said.blocked)
  await expect(choice).toBeDisabled()
  await expect(choice).toBeFocused()

  await open({})
  for (const [response, why] of [
    [NO_NETWORK, said.failed],
    [refuse('pushServiceUnknown'), said.noService],
  ] as const) {
    await setResponse(page, SAVE, response)
    await expectRefused(why)
    const kept = await page.evaluate(async () =>
      (await navigator.serviceWorker.ready).pushManager.getSubscription(),
    )
    expect(kept).toBe(null)
  }
  await setResponse(page, SAVE, { value: undefined })
  await choice.click()
  await expect(choice).toBeChecked()

  await open({ hasPush: false })
  await expect(page.getByText(said.elsewhere)).toBeVisible()
  await open({ hasPush: false, isOnIos: true })
  await expect(page.getByText(said.onIos)).toBeVisible()
  await expect(choice).toBeHidden()
})
