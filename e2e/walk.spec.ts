import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { eurCents } from '../domain/limits.ts'
import { money } from '../domain/money.ts'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { HISTORY_WORDS, openHistory, rowsOf } from './steps/history.ts'
import { somebody } from './steps/people.ts'
import { LONGEST, randomFrom, type Walker, walk } from './steps/walk.ts'
import { enter } from './steps/waysIn.ts'

/** How many walks in each window, of how many steps, and the seed of the first. `npm test` takes the same one each time. */
const { WALKS = '1', WALK_SEED = '9', WALK_STEPS = '20', WALK_TOLD } = process.env
const first = WALK_SEED === 'any' ? randomInt(2 ** 31) : Number(WALK_SEED)

test.use({
  serviceWorkers: 'allow',
  // Whoever has no network, or another tab, meets refusals, which Chromium writes down.
  expectedErrors: [BROKEN_CALLS],
})

/** What the card paid is what the person has, once all is told: by the provider, in the database and on the device. */
async function expectAgreement(
  server: Server,
  uid: string,
  page: Page,
  said: (typeof HISTORY_WORDS)['fr' | 'en'],
) {
  const { data } = await server.stripe.paymentIntents.list({ limit: 100 })
  const mine = () => data.filter(({ metadata }) => metadata.uid === uid && metadata.kind === 'transfer')
  const paid = mine().filter(({ status }) => status === 'succeeded')
  const stored = () => server.documents('transactions', 'senderId', uid)
  await expect
    .poll(async () => (await stored()).length, { message: 'transfers that are recorded' })
    .toBe(paid.length)
  const cents = (rows: Record<string, unknown>[]) =>
    rows.map((row) => Math.round((Number(row.amount) + Number(row.fees)) * 100)).sort((a, b) => a - b)
  expect(cents(await stored())).toEqual(
    paid.map(({ amount_received: amount }) => amount).sort((a, b) => a - b),
  )
  const ledgers = await server.documents('ledgers', 'uid', uid)
  const total = paid.reduce(
    (sum, { amount_received: minor, currency }) =>
      sum + eurCents(money(minor, currency === 'eur' ? 'EUR' : 'CAD')),
    0,
  )
  expect(ledgers.reduce((sum, { recordedCents }) => sum + Number(recordedCents), 0)).toBe(total)

  if (paid.length === 0) return 0
  await openHistory(page, said)
  await expect(rowsOf(page)).toHaveCount(paid.length)
  return paid.length
}

/** How the walk of this worker is taken again, and what was done on it: one whose time is up has no other way to say it. */
let told: readonly string[] = []
test.afterEach(() => {
  const { status, expectedStatus } = test.info()
  if (status !== expectedStatus) process.stderr.write(`${told.join('\n')}\n`)
})

for (let number = 0; number < Number(WALKS); number += 1) {
  const seed = (first + number) % 2 ** 31
  test(`a walk that nobody wrote leaves the card, the records and the device of one mind (${number + 1})`, async ({
    context,
    page,
    server,
    language,
    words,
  }, testInfo) => {
    testInfo.setTimeout(300_000)
    const person = somebody()
    const uid = await server.register(person)
    const steps = [
      `again with: WALK_SEED=${seed} npm run e2e -- e2e/walk.spec.ts --project ${testInfo.project.name}`,
    ]
    told = steps
    // What never ends fails by its name.
    context.setDefaultTimeout(LONGEST.timeout)
    const walker: Walker = { context, server, language, person, random: randomFrom(seed), steps }
    await enter(page, server, language, person)
    const last = await walk(walker, page, Number(WALK_STEPS))
    for (const other of context.pages()) if (other !== last) await other.close()
    steps.push('at the end')
    // A payment of the last step is taken up again, and its receipt comes when it likes.
    const receipt = last.getByRole('dialog', { name: words.receipt })
    await last.addLocatorHandler(receipt, () =>
      receipt.getByRole('button', { name: words.done, exact: true }).click(),
    )
    await enter(last, server, language, person)
    const count = await expectAgreement(server, uid, last, HISTORY_WORDS[language])
    if (WALK_TOLD) process.stdout.write(`${steps.join('\n')}\n${count} paid\n`)
  })
}
