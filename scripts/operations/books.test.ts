import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Query, type QuerySnapshot } from 'firebase-admin/firestore'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { MINUTE } from '../../domain/common/duration.ts'
import { runDueWork } from '../../netlify/server/endpoints/dueWork.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../netlify/testing/emptyWorld.ts'
import { expectTransferPaymentStarted } from '../../netlify/testing/payments.ts'
import { buildTransferRequest } from '../../netlify/testing/world.ts'
import { CommandError } from './commandError.ts'
import { runCommand } from './commands.ts'

resetWorldForEachTest()

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'books-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const MTN = { recipientPhone: '+224660000000', receivingMethod: 'mtn_money' } as const

async function paid() {
  const uid = await world.person()
  const request = buildTransferRequest(uid, MTN)
  const { paymentIntentId: id } = await expectTransferPaymentStarted(request)
  await world.pay(id)
  await recordPayment(uid, request.attemptId)
  return id
}

async function delivered() {
  world.payOutAsDeployed()
  const id = await paid()
  world.pass(2 * MINUTE)
  await runDueWork(world.context)
  return id
}

const ops = async (...words: readonly string[]) => (await runCommand(world.context, words)).lines

test('the trial balance shows every account, and the money kept for clients', async () => {
  expect(await ops('books', 'show')).toEqual(['The books at 2026-11-20 12:00:00 UTC.', 'No money has moved.'])
  await delivered()
  await paid()
  expect(await ops('books', 'show')).toEqual([
    'The books at 2026-11-20 12:02:00 UTC.',
    'EUR:',
    '  assets:stripe       €196.50  Our balance at Stripe',
    '  equity:exchange     -€97.00  Conversions and rounding',
    "  expenses:stripe     €3.50  Stripe's fees",
    '  liabilities:payers  -€100.00  Owed to payers, until their money has arrived',
    '  revenues:fees       -€3.00  Fees earned',
    '  Sum: €0.00. Kept for clients (safeguarding): €100.00.',
    'GNF:',
    '  assets:float:mtn     -GNF 2,056,400  Our account at mtn',
    '  assets:inFlight:mtn  GNF 1,028,200  Perhaps paid out by mtn',
    '  equity:exchange      GNF 1,028,200  Conversions and rounding',
    '  Sum: GNF 0. Kept for clients (safeguarding): GNF 0.',
    'Our account at mtn has GNF 97,943,600, and the books say -GNF 2,056,400. They differ by GNF 100,000,000: book what was paid in or taken out (books move).',
  ])
})

async function move(words: string) {
  const signature = { by: 'Awa', because: 'top-up' }
  return (await runCommand(world.context, ['books', 'move', ...words.split(' ')], signature)).lines
}

test('the books know the balance at a rail once top-ups are booked', async () => {
  await delivered()
  expect(await move('SEPA-1 bank mtn 9434.00EUR 100000000GNF')).toEqual([
    'Booked as SEPA-1: €9,434.00 for GNF 100,000,000, from bank to mtn.',
  ])
  const lines = await ops('books', 'show')
  expect(lines.slice(0, 5)).toEqual([
    'The books at 2026-11-20 12:02:00 UTC.',
    'EUR:',
    '  assets:bank      -€9,434.00  Our bank accounts, as far as operators book them',
    '  assets:stripe    €98.25  Our balance at Stripe',
    '  equity:exchange  €9,337.00  Conversions and rounding',
  ])
  expect(lines.at(-1)).toBe('Our account at mtn has GNF 98,971,800, as the books say.')
  await paid()
  expect((await ops('books', 'show')).at(-1)).toBe('Our account at mtn has GNF 97,943,600, as the books say.')
})

test('a payout in progress may not have left a rail yet', async () => {
  world.payOutBy(world.payouts.provider)
  world.payouts.fill(5_000_000)
  await move('SEPA-1 bank mtn 5000000GNF')
  await paid()
  await runDueWork(world.context)
  const differs = 'Our account at mtn has GNF 5,000,000, and the books say GNF 3,971,800.'
  expect((await ops('books', 'show')).at(-1)).toBe(
    `${differs} Payouts in progress of GNF 1,028,200 may not have left it yet.`,
  )
})

test('a payout whose records are lost can be booked', async () => {
  expect(await move('pi-1 mtn recipients 1028200GNF')).toEqual([
    'Booked as pi-1: GNF 1,028,200, from mtn to recipients.',
  ])
})

test('a movement is booked once under its reference', async () => {
  await move('SEPA-2 bank suppliers 84.50EUR')
  expect(await move('SEPA-2 bank suppliers 84.50EUR')).toEqual(['SEPA-2 is in the books already.'])
  await expect(move('SEPA-2 bank suppliers 84.51EUR')).rejects.toThrow(
    'SEPA-2 is in the books as another movement: €84.50, from bank to suppliers.',
  )
  expect(await move('SEPA-2-corrected suppliers bank 84.50EUR')).toHaveLength(1)
  expect((await ops('books', 'show')).slice(1)).toEqual([
    'EUR:',
    '  Sum: €0.00. Kept for clients (safeguarding): €0.00.',
  ])
  expect(await ops('actions', 'SEPA-2')).toHaveLength(3)
})

test.each([
  'pi/1 bank mtn 10EUR',
  'SEPA-3 bank bank 10EUR',
  'SEPA-3 bank mtn 10EUR 9EUR',
  'SEPA-3 mtn recipients 10GNF 9EUR',
  'SEPA-3 bank mtn 0.00EUR',
  'SEPA-3 bank mtn 10.5GNF',
  'SEPA-3 bank mtn 1.234EUR',
  'SEPA-3 bank mtn 10USD',
  'SEPA-3 bank mtn 99999999999999999EUR',
  'SEPA-3 bank fees 10EUR',
])('no movement is booked by %s', async (words) => {
  await expect(move(words)).rejects.toThrow(CommandError)
  expect((await world.records()).journal.size).toBe(0)
})

test('the trial balance says that a rail does not return its balance', async () => {
  world.payOutBy(world.payouts.provider)
  world.payouts.fallSilent('before')
  expect((await ops('books', 'show')).at(-1)).toBe('mtn does not return the balance of our account.')
  expect((await ops('books', 'show', '2026-11-20')).at(-1)).toBe('No money has moved.')
})

test('the trial balance of an earlier instant has only the entries until then', async () => {
  await delivered()
  const before = await ops('books', 'show', '2026-11-20T12:00:00Z')
  expect(before).toContain('  Sum: €0.00. Kept for clients (safeguarding): €100.00.')
  expect(before).toContain('  assets:inFlight:mtn  GNF 1,028,200  Perhaps paid out by mtn')
  const after = await ops('books', 'show', '2026-11-20')
  expect(after).toContain('  Sum: €0.00. Kept for clients (safeguarding): €0.00.')
})

test.each([
  '2026-02-31',
  '2026-02-31T12:00:00Z',
  '2026-11-20T12:00:00',
  '2026-11-20T12:00:00+01:00',
  'today',
])('the trial balance refuses an instant that is not in UTC: %s', async (until) => {
  await expect(ops('books', 'show', until)).rejects.toThrow(CommandError)
})

test('the statement of a delivered transfer ends without a debt', async () => {
  const id = await delivered()
  expect(await ops('books', 'statement', id)).toEqual([
    '2026-11-20 12:00:00 UTC: The card paid €100.00 to our balance at Stripe, and the payer can claim it.',
    '2026-11-20 12:00:00 UTC: Stripe took €1.75 as its fee.',
    '2026-11-20 12:00:00 UTC: A payout of GNF 1,028,200 may have left our account.',
    '2026-11-20 12:02:00 UTC: The money arrived: €97.00 for GNF 1,028,200.',
    '2026-11-20 12:02:00 UTC: We earned €3.00 as the fee.',
    'Nothing is owed.',
  ])
  expect(await ops('books', 'statement', 'pi_1')).toEqual(["The books don't contain pi_1."])
})

test('the statement says who owes whom since when', async () => {
  const id = await paid()
  const since = 'since 2026-11-20 12:00:00 UTC'
  expect((await ops('books', 'statement', id)).at(-1)).toBe(`Passerelle owes the payer €100.00 ${since}.`)
  world.sandbox.stripe.dispute(id)
  await runDueWork(world.context)
  expect((await ops('books', 'statement', id)).slice(2)).toEqual([
    '2026-11-20 12:00:00 UTC: The bank took €100.00 for a dispute.',
    '2026-11-20 12:00:00 UTC: Stripe took €15.00 as its fee.',
    `Passerelle owes the payer €100.00 ${since}.`,
    `The bank holds €100.00 ${since}, until it decides.`,
  ])
})

test('the export is a table for a spreadsheet', async () => {
  const id = await paid()
  const path = join(folder, 'books.csv')
  await runCommand(world.context, ['books', 'export'], { export: path, language: 'en' })
  expect(readFileSync(path, 'utf8').split('\r\n').slice(0, 2)).toEqual([
    '\ufeff"Time (UTC)","Payment","Movement","Debit","Credit","Amount","Currency"',
    `2026-11-20 12:00:00,"${id}","cardIn","assets:stripe","liabilities:payers",100.00,"EUR"`,
  ])
  const other = { export: join(folder, 'books.txt') }
  await expect(runCommand(world.context, ['books', 'export'], other)).rejects.toThrow(CommandError)
})

test('hledger accepts the exported journal, where it is installed', async () => {
  await delivered()
  const path = join(folder, 'books.journal')
  await runCommand(world.context, ['books', 'export'], { export: path })
  expect(readFileSync(path, 'utf8').split('\n').slice(1, 3)).toEqual([
    '    assets:stripe  EUR 100.00',
    '    liabilities:payers  EUR -100.00',
  ])
  const { error, status, stdout } = spawnSync('hledger', ['-f', path, 'balance', 'assets:stripe'], {
    encoding: 'utf8',
  })
  if (error) return
  expect(status).toBe(0)
  expect(stdout).toContain('EUR 98.25  assets:stripe')
})

test('the books are read in pages, and none is missing', async () => {
  const { db } = world.context
  const lines = [{ debit: 'assets:stripe', credit: 'liabilities:payers', minor: 1, currency: 'EUR' }]
  const document = { at: world.now(), entries: [{ kind: 'cardIn', lines }] }
  for (let page = 0; page < 3; page += 1) {
    const batch = db.batch()
    for (let n = page * 400; n < (page + 1) * 400; n += 1)
      batch.set(db.doc(`journal/pi_${n}_received`), { ...document, about: `pi_${n}` })
    await batch.commit()
  }
  const reads = vi.spyOn(Query.prototype, 'get')
  onTestFinished(() => reads.mockRestore())
  expect(await ops('books', 'show')).toContain('  assets:stripe       €12.00  Our balance at Stripe')
  const [csv, hledger] = [join(folder, 'pages.csv'), join(folder, 'pages.journal')]
  for (const path of [csv, hledger])
    expect((await runCommand(world.context, ['books', 'export'], { export: path })).lines).toEqual([
      `${path} has the journal until 2026-11-20 12:00:00 UTC: 1200 changes.`,
    ])
  const pages: readonly QuerySnapshot[] = await Promise.all(reads.mock.results.map(({ value }) => value))
  expect(Math.max(...pages.map(({ size }) => size))).toBe(500)
  const table = readFileSync(csv, 'utf8')
  expect(new Set(table.split('\r\n')).size).toBe(1202)
  expect(table.lastIndexOf('\ufeff')).toBe(0)
  expect(new Set(readFileSync(hledger, 'utf8').split('\n\n')).size).toBe(1201)
})
