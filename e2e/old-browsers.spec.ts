import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAppFolder } from '../build/build.ts'
import { MISSING_GLOBALS } from '../build/engineFeatures.ts'
import { test as base, expect } from './fixtures.ts'
import { expectHome } from './steps/pages.ts'
import { createPhonePerson } from './steps/person.ts'
import { openInTestLanguage, signInByPhone } from './steps/signIn.ts'
import { activityRows, closeReceipt, receiptSheet, sendMoney } from './steps/transfer.ts'
import { words } from './words.ts'

// One of the oldest supported engines lacks these built-ins.
const REMOVAL = `for (const name of ${JSON.stringify(MISSING_GLOBALS)}) {
  const [owner, member] = name.split('.')
  const object = globalThis[owner] ?? Intl[owner]
  for (const holder of member ? [object, object?.prototype, owner === 'Window' ? globalThis : null] : [globalThis])
    if (holder && Object.hasOwn(holder, member ?? owner)) delete holder[member ?? owner]
}
`

// The service worker gets the script too.
const test = base.extend<object, { folder: string }>({
  folder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'passerelle-app-'))
      await cp(getAppFolder('sandbox'), folder, { recursive: true })
      const worker = join(folder, 'sw.js')
      await writeFile(worker, REMOVAL + (await readFile(worker, 'utf8')))
      for (const packed of ['.br', '.gz']) await rm(worker + packed)
      await use(folder)
      await rm(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
  settings: [async ({ folder }, use) => use({ SANDBOX_APP: folder }), { scope: 'worker' }],
})
test.use({ serviceWorkers: 'allow' })

test('the oldest engines’ built-ins suffice to sign in and pay', async ({ context, page, server }) => {
  await context.addInitScript(REMOVAL)
  const person = createPhonePerson()
  await server.registerPhone(person)
  await openInTestLanguage(page)
  expect(await page.evaluate(() => 'withResolvers' in Promise || 'toSorted' in Array.prototype)).toBe(false)
  await signInByPhone(page, server, person)
  await sendMoney(page, { amount: '100' })
  const download = page.waitForEvent('download')
  await receiptSheet(page).getByRole('button', { name: words.download }).click()
  expect((await readFile(await (await download).path())).subarray(0, 5).toString()).toBe('%PDF-')
  await closeReceipt(page)
  await page.getByRole('button', { name: words.menu }).click()
  await page.keyboard.press('Escape')

  await page.waitForFunction(() => navigator.serviceWorker.controller)
  const [worker] = context.serviceWorkers()
  expect(await worker?.evaluate(() => 'toSorted' in Array.prototype)).toBe(false)
  await page.reload()
  await expectHome(page)
  await expect(activityRows(page)).toHaveCount(1)
})
