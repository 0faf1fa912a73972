import { getAppFolder } from '../build/build.ts'
import { expect, test } from './fixtures.ts'
import { expectHome, openFromMenu } from './steps/pages.ts'
import { createPhonePerson } from './steps/person.ts'
import { openInTestLanguage, openPhoneTab, signInByPhone, signInPanel } from './steps/signIn.ts'
import { activityRows, closeReceipt, sendMoney } from './steps/transfer.ts'
import { words } from './words.ts'

/** The build that reports its states also runs React's development checks. */
test.use({ settings: { SANDBOX_APP: getAppFolder('inspected') } })

test('StrictMode’s double effects break no sign-in or payment @desk @all', async ({ page, server }) => {
  const person = createPhonePerson()
  await server.registerPhone(person)
  await page.addInitScript(() => {
    const remove = EventTarget.prototype.removeEventListener
    EventTarget.prototype.removeEventListener = function (...args) {
      if (args[0] === 'popstate') document.documentElement.dataset.popstateRemoved = ''
      remove.apply(this, args)
    }
  })
  await openInTestLanguage(page)
  await openPhoneTab(page)
  const number = signInPanel(page).getByLabel(words.phoneNumber)
  await number.fill('+33 6 12 34 56 78')
  for (let i = 0; i < 2; i++) {
    await page.reload()
    await expect(number).toHaveValue('+33 6 12 34 56 78')
  }
  await signInByPhone(page, server, person)
  await expectHome(page)
  await expect(page.locator('html')).toHaveAttribute('data-popstate-removed')
  await sendMoney(page, { amount: '100' })
  await closeReceipt(page)
  await expect(activityRows(page)).toHaveCount(1)
  await openFromMenu(page, words.settings)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: words.settings })).toBeVisible()
  await page.goBack()
  await expectHome(page)
})
