import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { databases, expectNoDatabase } from './steps/device.ts'
import { holdBack } from './steps/faults.ts'
import { expectHome } from './steps/pages.ts'
import { arriveHome } from './steps/waysIn.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALLS] })

test('an answer that comes after signing out is dropped', async ({ page, server }) => {
  await arriveHome(page, server)
  // What the page asked for before is not what is waited for.
  await page.goto('about:blank')
  const asked = page.waitForRequest('**/documents:runQuery**')
  const release = await holdBack(page, '**/documents:runQuery**')
  await page.goto('/')
  await asked
  await page.getByRole('button', { name: words.menu }).click()
  await page.getByRole('menuitem', { name: words.signOut }).click()
  await expect(page.getByRole('button', { name: words.createInstead })).toBeVisible()
  const answered = page.waitForResponse('**/documents:runQuery**')
  release()
  await (await answered).finished()
  await expectNoDatabase(page)
})

test('a sign-out that is cut off is finished when the app opens again', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  // The device is slow to delete what it keeps, and the page is closed before it is done.
  await page.evaluate(() => {
    IDBFactory.prototype.deleteDatabase = () => new EventTarget() as IDBOpenDBRequest
  })
  await page.getByRole('button', { name: words.menu }).click()
  await page.getByRole('menuitem', { name: words.signOut }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('passerelle.leaving'))).not.toBeNull()
  await page.reload()
  await expect(page.getByRole('button', { name: words.createInstead })).toBeVisible()
  // Whether it was cut off before or after the session had ended, the rest is done beside the card to sign in.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('passerelle.leaving'))).toBeNull()
  await expectNoDatabase(page)
  const storage = await page.evaluate(() => JSON.stringify(localStorage))
  for (const trace of [person.email, person.name]) expect(storage).not.toContain(trace)
})

test('who signs out is told that it is done, or that it was not @spec-sign-out-toasts', async ({
  page,
  server,
}) => {
  await arriveHome(page, server)
  await page.evaluate(() => {
    const { removeItem } = Storage.prototype
    Storage.prototype.removeItem = function (key) {
      if (key.startsWith('firebase:')) throw new DOMException('', 'UnknownError')
      removeItem.call(this, key)
    }
    Object.assign(window, { mend: () => (Storage.prototype.removeItem = removeItem) })
  })
  const leave = async () => {
    await page.getByRole('button', { name: words.menu }).click()
    await page.getByRole('menuitem', { name: words.signOut }).click()
  }
  await leave()
  await expect(page.getByRole('alert').getByText(words.signOutFailed)).toBeVisible()
  await expectHome(page)
  // Who stays keeps what the device has.
  expect(await databases(page)).toHaveLength(1)
  await page.evaluate(() => (window as unknown as { mend(): void }).mend())
  await leave()
  await expect(page.getByRole('status').getByText(words.signedOut)).toBeVisible()
  await expect(page.getByRole('button', { name: words.createInstead })).toBeVisible()
})
