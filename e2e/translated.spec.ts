import { buildReserveAnswer } from '../machines/testing/transferSituations.ts'
import { expect, sceneTest, test } from './fixtures.ts'
import { simulateTranslator } from './steps/extensions.ts'
import { delayRequests } from './steps/faults.ts'
import { historyRows, historyWords } from './steps/history.ts'
import { expectHome } from './steps/pages.ts'
import { openScene, setLanguage, setResponse } from './steps/scenes.ts'
import {
  chooseLanguageInOtherTab,
  openInTestLanguage,
  pressInPanel,
  registerAndOpenHome,
  registerAndOpenSignIn,
} from './steps/signIn.ts'
import { closePrice, confirmForm, openCoupon, payButton, receiptSheet } from './steps/transfer.ts'
import { words } from './words.ts'

const euros = (amount: string) => new RegExp(`(Payer ${amount},00\\s€|Pay €${amount}.00)$`)

for (const how of ['replace', 'wrap'] as const)
  sceneTest(`everything stays correct if a translator ${how}s the texts`, async ({ page }) => {
    await openScene(page, 'home-filled')
    await simulateTranslator(page, how)
    const amount = page.getByLabel(words.amount)
    const submit = page.getByRole('main').locator('[type=submit]')
    await amount.fill('100')
    await expect(submit).toHaveText(euros('100'))
    for (const [label, wrong, right] of [
      [words.amount, '1', '250'],
      [words.phone, '+224 62', '+224 620 00 00 00'],
    ] as const) {
      const field = page.getByLabel(label)
      await field.fill(wrong)
      await field.blur()
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await field.fill(right)
      await expect(field).not.toHaveAttribute('aria-invalid', 'true')
    }
    await expect(submit).toHaveText(euros('250'))
    await openCoupon(page)
    await closePrice(page)
    await page.getByLabel(words.confirmPhone).check()
    await setResponse(page, 'functions.create-payment-intent', { value: buildReserveAnswer().value })
    await confirmForm(page)
    await expect(payButton(page)).toHaveText(euros('250'))
    await setResponse(page, 'cardPayments.confirmCard', {
      value: { kind: 'declined', reason: '', message: '' },
    })
    await payButton(page).click()
    await expect(page.getByRole('alert').filter({ hasText: words.declined })).toBeVisible()

    await openScene(page, 'history')
    await simulateTranslator(page, how)
    const count = page.getByRole('status').filter({ hasText: /\d|Aucun transfert trouvé|No transfers found/ })
    const search = page.getByLabel(historyWords.search)
    for (const [text, found] of [
      ['zzz', 0],
      ['620', 1],
    ] as const) {
      await search.fill(text)
      await expect(historyRows(page)).toHaveCount(found)
      await expect(count).toHaveText(historyWords.found(found))
    }
    await historyRows(page).getByRole('button').click()
    const receipt = receiptSheet(page)
    await expect(receipt.locator('[data-item=amountPaid] dd')).toHaveText(/150[,.]00/)
    await expect(receipt.locator('[data-item=amountReceived]')).toHaveText(/1[\s,]542[\s,]300/)
  })

test('a translated home screen is not stored for the next start @all', async ({ page, server }) => {
  await registerAndOpenHome(page, server)
  const isStored = () =>
    page.evaluate(() => localStorage.getItem('passerelle.home')?.includes('data-testid') ?? false)
  await expect.poll(isStored).toBe(true)
  await simulateTranslator(page)
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  expect(await isStored()).toBe(false)
})

sceneTest('a translated page’s change of language leaves no old text', async ({ page, language }) => {
  await openScene(page, 'home-activity')
  // The price is announced once the user pauses.
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Frais' })).toBeAttached()
  await simulateTranslator(page)
  // Compares only visible text, because the page also contains the texts of closed parts.
  const text = () => page.locator('main:visible').allInnerTexts()
  const before = await text()
  await setLanguage(page, language === 'fr' ? 'en' : 'fr')
  await expect(page.locator('main:visible')).not.toContainText(words.send)
  await setLanguage(page, language)
  await expect.poll(text).toEqual(before)
})

test('typed values survive an extension’s changes before hydration @all', async ({ page, server }) => {
  const person = await registerAndOpenSignIn(page, server)
  // Password managers insert an element next to each field.
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      for (const field of document.querySelectorAll('form input')) {
        const mark = document.createElement('div')
        mark.setAttribute('data-extension', '')
        field.before(mark)
      }
    }),
  )
  const release = await delayRequests(page, '**/assets/index-*.js')
  await page.goto('/')
  await expect(page.locator('[data-extension]').first()).toBeAttached()
  const email = page.getByLabel(words.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
  await email.fill(person.email)
  release()
  await page.waitForFunction(() => window.opening?.isTakenOver)
  await expect(email).toBeFocused()
  // React knows the typed values, and keeps them when it renders the sign-up.
  await page.getByRole('button', { name: words.createInstead }).click()
  await expect(email).toHaveValue(person.email)
  await pressInPanel(page, words.signIn)
  await pressInPanel(page, words.signIn)
  await expectHome(page)
})

test('the app hydrates the prerendered form with its typed values @all', async ({ page }) => {
  await openInTestLanguage(page)
  for (const address of ['/?signup', '/?emailVerified', '/']) {
    const release = await delayRequests(page, '**/assets/index-*.js')
    await page.goto(address)
    const form = page.locator('form').first()
    await form.evaluate((painted) => painted.setAttribute('data-painted', ''))
    await page.getByLabel(words.email).fill('fatou@exemple.fr')
    release()
    await page.waitForFunction(() => window.opening?.isTakenOver)
    await expect(form).toHaveAttribute('data-painted')
  }
  // React knows the typed value, and keeps it when it renders the sign-up.
  await page.getByRole('button', { name: words.createInstead }).click()
  await expect(page.getByLabel(words.email)).toHaveValue('fatou@exemple.fr')
})

test('the page has the chosen lang attribute before its body appears @all', async ({ page }) => {
  await openInTestLanguage(page)
  await page.addInitScript(() => {
    new MutationObserver((_, watching) => {
      if (!document.body) return
      watching.disconnect()
      document.body.dataset.firstLanguage = document.documentElement.lang
    }).observe(document, { childList: true, subtree: true })
  })
  for (const chosen of ['en', 'fr'] as const) {
    await chooseLanguageInOtherTab(page, chosen)
    await page.reload()
    await expect(page.locator('body')).toHaveAttribute('data-first-language', chosen)
    await expect(
      page.getByRole('button', { name: { en: 'Sign in', fr: 'Se connecter' }[chosen] }),
    ).toBeVisible()
  }
})

test('another tab’s language before hydration is shown afterwards @all', async ({ page, language }) => {
  await openInTestLanguage(page)
  // Holds React's first task, which hydrates the page.
  await page.addInitScript(() => {
    const { postMessage } = MessagePort.prototype
    const held: (() => void)[] = []
    MessagePort.prototype.postMessage = function (this: MessagePort, ...message: unknown[]) {
      held.push(() => Reflect.apply(postMessage, this, message))
    }
    Object.assign(window, {
      held,
      release: () => {
        MessagePort.prototype.postMessage = postMessage
        for (const post of held) post()
      },
    })
  })
  await page.reload()
  await page.waitForFunction(() => (window as unknown as { held: unknown[] }).held.length > 0)
  const chosen = language === 'fr' ? 'en' : 'fr'
  await page.evaluate((chosen) => {
    localStorage.setItem('passerelle.language', JSON.stringify(chosen))
    dispatchEvent(new StorageEvent('storage', { key: 'passerelle.language' }))
  }, chosen)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => (window as unknown as { release: () => void }).release())
  await expect(page.locator('html')).toHaveAttribute('lang', chosen)
  await expect(
    page.getByRole('button', { name: { en: 'Sign in', fr: 'Se connecter' }[chosen] }),
  ).toBeVisible()
})
