import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { HOUR } from '../../domain/duration.ts'
import { claim } from '../../netlify/server/payouts/handPayments.ts'
import { byHand } from '../../netlify/server/payouts/providers/byHand.ts'
import { buildReference } from '../../netlify/server/payouts/reference.ts'
import { record, testInEmptyWorld, world } from '../../netlify/testing/emptyWorld.ts'
import { started } from '../../netlify/testing/payments.ts'
import { requestOf } from '../../netlify/testing/world.ts'
import { CommandError } from './commandError.ts'
import { type Options, runCommand } from './commands.ts'
import { claimDeliveries } from './deliveries.ts'

testInEmptyWorld({ isMoneyChecked: true })
afterAll(() => rmSync(folder, { recursive: true }))

async function paid(provider = byHand) {
  world.payOutBy(provider)
  const uid = await world.person()
  const request = requestOf(uid, { recipientPhone: '+224620000001' })
  const { paymentIntentId: id } = await started(request)
  await world.pay(id)
  await record(uid, request.attemptId)
  return id
}

const lines = async (command: string, options?: Options) =>
  (await runCommand(world.context, ['deliveries', ...command.split(' ')], options)).lines
const folder = mkdtempSync(join(tmpdir(), 'deliveries-'))
let files = 0
const newPath = () => join(folder, `${files++}.csv`)
/** Runs a command that writes a file, and reads the file. */
const exported = async (command: string, options: Options = {}) => {
  const path = newPath()
  const said = await lines(command, { ...options, export: path })
  return { said, file: readFileSync(path, 'utf8') }
}
const REFUSED = 'Nothing is changed: that contradicts the records.'

test('an order that is due is listed, claimed, exported and delivered', async () => {
  expect(await lines('list')).toEqual(['Nothing is due, in hand, held or waiting.'])
  const id = await paid()
  const what = `${id}: GNF 1,028,200 to +224620000001 (Orange Money), paid for at 2026-11-20 12:00:00 UTC:`
  expect(await lines('list')).toEqual([`${what} due.`])
  const { said, file } = await exported('claim', { by: 'Awa' })
  const batch = /batch (\S+)\.$/.exec(said[0] ?? '')?.[1]
  expect(said).toEqual([`1 in hand, as the batch ${batch}.`])
  expect(file).toBe(
    `transfer,wallet,phone,amount,currency,batch\r\n${id},Orange Money,+224620000001,1028200,GNF,${batch}\r\n`,
  )
  expect(await lines('list')).toEqual([
    `${what} in hand of Awa since 2026-11-20 12:00:00 UTC, batch ${batch}.`,
  ])
  expect(await lines('claim', { by: 'Binta' })).toEqual(['Nothing is due.'])
  expect((await lines(`claim ${id}`, { by: 'Binta' }))[1]).toBe(`${id} is not due.`)
  expect(await lines(`delivered ${id}`, { reference: 'PP1' })).toEqual([
    'Done.',
    `${what} delivered at 2026-11-20 12:00:00 UTC, reference PP1.`,
  ])
  expect((await lines(`failed ${id}`, { reason: 'rejected' }))[0]).toBe(REFUSED)
})

test('the orders of an interrupted claim are listed and exported again', async () => {
  const [id, other] = [await paid(), await paid()]
  expect(await lines('batch b1')).toEqual(['The batch b1 has nothing in hand.'])
  // Nobody has seen what it said, nor is there a file.
  await claim(world.context, { batch: 'b1', by: 'Awa', ids: [other] })
  await claim(world.context, { batch: 'b0', by: 'Binta', ids: [id] })
  expect(await lines('list')).toEqual([
    expect.stringMatching(`^${id}: .* in hand of Binta since 2026-11-20 12:00:00 UTC, batch b0\\.$`),
    expect.stringMatching(`^${other}: .* in hand of Awa since 2026-11-20 12:00:00 UTC, batch b1\\.$`),
  ])
  const { said, file } = await exported('batch b1')
  expect(said).toEqual([expect.stringContaining('batch b1.')])
  expect(file).toBe(
    `transfer,wallet,phone,amount,currency,batch\r\n${other},Orange Money,+224620000001,1028200,GNF,b1\r\n`,
  )
})

test('an order that a fraud warning holds is not claimed', async () => {
  const id = await paid()
  world.sandbox.stripe.warnOfFraud(id)
  expect((await lines(`claim ${id}`, { by: 'Awa' }))[1]).toBe(
    `${id}: a warning or a review holds it, so nobody pays it before it is released.`,
  )
})

describe('an order that a provider has', () => {
  const DAY = 24 * HOUR
  const BUSY =
    'Nothing is changed: its provider works on it. A day after it was handed over it takes the word of somebody who has asked the provider.'

  async function handedOver() {
    world.payouts.will('pending')
    return paid(world.payouts.provider)
  }

  test('is listed, and an operator can complete it, after a day', async () => {
    const id = await handedOver()
    expect(await lines('list')).toEqual(['Nothing is due, in hand, held or waiting.'])
    world.pass(DAY - 1)
    for (const [command, options] of [
      [`delivered ${id}`, { reference: 'PP1' }],
      [`failed ${id}`, { reason: 'expired' }],
    ] as const)
      expect((await lines(command, options))[0]).toBe(BUSY)
    world.pass(1)
    const standing = `with mtn since 2026-11-20 12:00:00 UTC, reference ${buildReference(id, 1)}.`
    expect(await lines('list')).toEqual([expect.stringContaining(standing)])
    world.payouts.decide('delivered')
    expect((await lines(`delivered ${id}`, { reference: 'PP1' }))[1]).toMatch(/delivered at .*PP1\.$/)
  })

  test('is refunded if an operator says that it failed', async () => {
    const id = await handedOver()
    world.pass(DAY)
    world.payouts.decide('expired')
    expect((await lines(`failed ${id}`, { reason: 'expired' }))[0]).toBe('Done.')
    expect((await lines('list'))[0]).toBe('Nothing is due, in hand, held or waiting.')
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
  })
})

test('an order that is called off while its provider may have it says so', async () => {
  world.payouts.fallSilent('before')
  const id = await paid(world.payouts.provider)
  world.sandbox.stripe.dispute(id)
  for (const event of world.sandbox.stripe.events()) await world.deliver(event)
  world.pass(24 * HOUR)
  expect((await lines('list'))[0]).toMatch(/; called off \(disputed\) unless mtn pays it\.$/)
})

test('an order that can’t be paid is refunded', async () => {
  const id = await paid()
  await lines('claim', { by: 'Awa' })
  expect((await lines(`failed ${id}`, { reason: 'recipientUnknown' }))[1]).toMatch(
    /: failed \(recipientUnknown\), and owed back\.$/,
  )
  expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
  expect((await lines(`delivered ${id}`, { reference: 'PP1' }))[1]).toMatch(/and paid back\.$/)
})

test('a command that contradicts the records is refused', async () => {
  const id = await paid()
  // Nobody has it in hand.
  expect((await lines(`delivered ${id}`, { reference: 'PP1' }))[0]).toBe(REFUSED)
  expect((await lines(`release ${id}`))[0]).toBe(REFUSED)
  await lines('claim', { by: 'Awa' })
  expect((await lines(`hold ${id}`))[0]).toBe(REFUSED)
  expect((await lines(`release ${id}`))[0]).toBe('Done.')
  expect((await lines(`hold ${id}`))[1]).toMatch(/: held by operator\.$/)
  expect(await lines('claim', { by: 'Awa' })).toEqual(['Nothing is due.'])
  expect((await lines(`release ${id}`))[1]).toMatch(/: due\.$/)
  expect(await lines('hold pi_nobody')).toEqual([
    'pi_nobody has no delivery order: it was paid before anybody paid out, or nobody knows it.',
  ])
})

test('an order in hand whose charge goes back must not be paid', async () => {
  const id = await paid()
  await lines('claim', { by: 'Awa' })
  world.sandbox.stripe.dispute(id)
  for (const event of world.sandbox.stripe.events()) await world.deliver(event)
  expect((await lines('list'))[0]).toMatch(
    /its charge went back \(disputed\), so don't pay it, and release it\.$/,
  )
  expect((await lines(`release ${id}`))[1]).toMatch(/: failed \(disputed\), and owed back\.$/)
})

describe('an order whose charge went back is not exported', () => {
  const HEAD = 'transfer,wallet,phone,amount,currency,batch\r\n'
  const dispute = async (id: string) => {
    world.sandbox.stripe.dispute(id)
    for (const event of world.sandbox.stripe.events())
      if (event.type === 'charge.dispute.created') await world.deliver(event)
  }

  test('by a second export', async () => {
    const [id, other] = [await paid(), await paid()]
    await claim(world.context, { batch: 'b1', by: 'Awa', ids: [id, other] })
    await dispute(id)
    const { said, file } = await exported('batch b1')
    expect(said.filter((line) => line.includes("don't pay it"))).toEqual([
      expect.stringMatching(`^${id}: .*; its charge went back \\(disputed\\)`),
    ])
    expect(file).toBe(`${HEAD}${other},Orange Money,+224620000001,1028200,GNF,b1\r\n`)
  })

  test('by a claim, which says so', async () => {
    const [id, other] = [await paid(), await paid()]
    const { stripe } = world.context
    const retrieve = async (of: string) => {
      // The first is in hand, and the second looked at.
      if (of === other) await dispute(id)
      return stripe.paymentIntents.retrieve(of)
    }
    const paymentIntents = Object.create(stripe.paymentIntents, { retrieve: { value: retrieve } })
    const context = {
      ...world.context,
      stripe: Object.create(stripe, { paymentIntents: { value: paymentIntents } }),
    }
    const path = newPath()
    const said = await claimDeliveries(context, { by: 'Awa', ids: [id, other], path })
    const file = readFileSync(path, 'utf8')
    expect(said).toEqual([
      expect.stringMatching(/^2 in hand, as the batch /),
      expect.stringMatching(
        `^${id}: .*; its charge went back \\(disputed\\), so don't pay it, and release it\\.$`,
      ),
    ])
    expect(file).toContain(other)
    expect(file).not.toContain(id)
  })
})

test('a claim does not overwrite a file, and changes nothing then', async () => {
  const id = await paid()
  const path = newPath()
  await lines('batch b1', { export: path })
  await expect(lines('claim', { by: 'Awa', export: path })).rejects.toThrow(/exist already/)
  expect((await lines('list'))[0]).toMatch(new RegExp(`^${id}: .* due\\.$`))
})

test.each<[command: string, options: Options]>([
  ['', {}],
  ['claim', { by: ' ' }],
  ['claim pi_1 ../users/1', { by: 'Awa' }],
  ['delivered pi_1', {}],
  ['failed pi_1', { reason: 'noBalance' }],
  ['release ../users/1', {}],
  ['release pi_1', { by: 'Awa' }],
  ['hold pi_1 pi_2', {}],
  ['batch', {}],
])('incomplete or superfluous arguments are refused: %s %o', async (command, options) => {
  await expect(lines(command, options)).rejects.toThrow(CommandError)
})
