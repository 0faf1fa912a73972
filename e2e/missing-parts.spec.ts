import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { expectHome, openFromMenu } from './steps/pages.ts'
import { registerAndOpenSignIn, signIn } from './steps/signIn.ts'
import { closeReceipt, receiptSheet, sendMoney } from './steps/transfer.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

test.use({ serviceWorkers: 'allow', expectedErrors: [BROKEN_CALL_ERRORS] })

const said = defineTexts({
  noOffline: 'Ce navigateur ne peut pas ouvrir l’application sans réseau. Tout le reste fonctionne.',
})

/** Each runs in the page, before the app. Unit tests cover the parts that fail in other ways. */
const MISSING_PARTS = {
  'locks that are granted': () => {
    const refuse = async () => {
      throw new DOMException('Refused by a policy', 'SecurityError')
    }
    Object.assign(LockManager.prototype, { request: refuse, query: refuse })
  },
  'an IndexedDB that answers': () => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
  },
  'IndexedDB transactions that end': () => {
    for (const [{ prototype }, name] of [
      [IDBRequest, 'onsuccess'],
      [IDBTransaction, 'oncomplete'],
    ] as const) {
      const { set } = Object.getOwnPropertyDescriptor(prototype, name) ?? {}
      Object.defineProperty(prototype, name, {
        set(listener) {
          if (this instanceof IDBOpenDBRequest) set?.call(this, listener)
        },
      })
    }
  },
  'room in localStorage': () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  },
  everything: () => {
    for (const [owner, ...names] of [
      [Navigator.prototype, 'serviceWorker', 'locks'],
      // The page's first script uses the first three before it loads the app.
      [window, 'FontFace', 'PerformanceObserver', 'requestIdleCallback', 'BroadcastChannel', 'Notification'],
      [Crypto.prototype, 'subtle'],
      [Intl, 'DisplayNames', 'ListFormat', 'RelativeTimeFormat', 'Segmenter'],
    ] as const)
      for (const name of names) Reflect.deleteProperty(owner, name)
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied.', 'SecurityError')
        },
      })
    Object.defineProperty(window, 'indexedDB', { value: undefined })
    // A style sheet that a script makes is refused.
    window.CSSStyleSheet = new Proxy(CSSStyleSheet, {
      construct() {
        throw new TypeError('Illegal constructor')
      },
    })
  },
}

for (const [name, take] of Object.entries(MISSING_PARTS))
  test(`a user signs in, pays and returns without ${name}`, async ({ page, server }) => {
    await page.addInitScript(take)
    const person = await registerAndOpenSignIn(page, server)
    await signIn(page, person)
    await expectHome(page)
    await sendMoney(page, { amount: '50' })
    await expect(receiptSheet(page)).toBeVisible()
    expect(await server.readTransactions(person.email)).toHaveLength(1)

    await page.reload()
    if (/localStorage|everything/.test(name)) await signIn(page, person)
    await expectHome(page)
    await expect(page.getByText(words.codeMissing)).toBeHidden()
    if (name !== 'everything') return
    // A device that remembers nothing shows the receipt that the server finds.
    await closeReceipt(page)
    await openFromMenu(page, words.settings)
    await expect(page.getByText(said.noOffline)).toBeVisible()
  })
