import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { MISSING_PARTS } from './steps/missingParts.ts'
import { expectHome, openFromMenu } from './steps/pages.ts'
import { registerAndOpenSignIn, signIn } from './steps/signIn.ts'
import { closeReceipt, receiptSheet, sendMoney } from './steps/transfer.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

test.use({ serviceWorkers: 'allow', expectedErrors: [BROKEN_CALL_ERRORS] })

const said = defineTexts({
  codeMissing: 'Une partie de l’application n’a pas pu être chargée.',
  noOffline: 'Ce navigateur ne peut pas ouvrir l’application sans réseau. Tout le reste fonctionne.',
})

/** Payments and sign-ins wait for these, which exist and fail; 'everything' covers absent parts. */
const IN_PROOF = [
  'locks that are granted',
  'an IndexedDB that answers',
  'IndexedDB transactions that end',
  'room in localStorage',
  'everything',
]

/** Without these, a user is signed out when the page is closed. */
const KEEPS_SESSION = (name: string) => !/localStorage|everything/.test(name)

const ALL = Object.values(MISSING_PARTS).join(';\n')

for (const [name, script] of [...Object.entries(MISSING_PARTS), ['everything', ALL] as const])
  test(`a user signs in, pays and returns without ${name}${IN_PROOF.includes(name) ? '' : ' @all'}`, async ({
    page,
    server,
  }) => {
    await page.addInitScript(script)
    const person = await registerAndOpenSignIn(page, server)
    await signIn(page, person)
    await expectHome(page)
    await sendMoney(page, { amount: '50' })
    await expect(receiptSheet(page)).toBeVisible()
    expect(await server.readTransactions(person.email)).toHaveLength(1)

    await page.reload()
    if (!KEEPS_SESSION(name)) await signIn(page, person)
    await expectHome(page)
    // A device that remembers nothing shows the receipt that the server finds.
    if (name === 'everything') await closeReceipt(page)
    await expect(page.getByText(said.codeMissing)).toBeHidden()
    if (!/service worker|everything/.test(name)) return
    await openFromMenu(page, words.settings)
    await expect(page.getByText(said.noOffline)).toBeVisible()
  })
