import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../domain/common/duration.ts'
import { OPERATOR_PAUSE_CAUSE, pausePayments } from '../../netlify/server/events/pauses.ts'
import { setPaymentsClosed, setPaymentsOpen } from '../../netlify/server/payments/paymentsState.ts'
import { cancelTransfer } from '../../netlify/server/payouts/cancelTransfer.ts'
import { byHandProvider } from '../../netlify/server/payouts/providers/byHand.ts'
import { buildReference } from '../../netlify/server/payouts/reference.ts'
import { readOrder } from '../../netlify/testing/deliveries.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../netlify/testing/emptyWorld.ts'
import { expectTransferPaymentStarted } from '../../netlify/testing/payments.ts'
import { buildTransferRequest } from '../../netlify/testing/world.ts'
import { CommandError } from './commandError.ts'
import { type CommandOptions, runCommand } from './commands.ts'
import { claimDeliveries, failDelivery } from './deliveries.ts'
import { claimDueOrders } from './handPayments.ts'
import { addSignature } from './testing/addSignature.ts'

resetWorldForEachTest({ isMoneyChecked: true })
afterAll(() => rmSync(folder, { recursive: true }))

async function paid({
  provider = byHandProvider,
  recipientPhone = '+224620000001',
  card = 'pm_card_visa',
  recipientName = 'Mariama Bah',
} = {}) {
  world.payOutBy(provider)
  const uid = await world.person()
  const request = buildTransferRequest(uid, { recipientPhone, recipientName })
  const { paymentIntentId: id } = await expectTransferPaymentStarted(request)
  await world.pay(id, card)
  await recordPayment(uid, request.attemptId)
  return id
}

async function deliverEvents(type: string) {
  for (const event of world.sandbox.stripe.events()) if (event.type === type) await world.deliver(event)
}

async function lines(command: string, options?: CommandOptions) {
  const words = ['deliveries', ...command.split(' ')]
  return (await runCommand(world.context, words, addSignature(words, options))).lines
}
const folder = mkdtempSync(join(tmpdir(), 'deliveries-'))
let files = 0
const newPath = () => join(folder, `${files++}.csv`)
const exported = async (command: string, options: CommandOptions = {}) => {
  const path = newPath()
  const said = await lines(command, { ...options, export: path })
  return { said, file: readFileSync(path, 'utf8') }
}
const HEAD =
  '\ufeff"transfert";"mode de réception";"numéro";"montant";"devise";"lot";"bénéficiaire";"expéditeur"\r\n'
const buildRow = (id: string, batch: string | undefined, phone = '+224620000001') =>
  `"${id}";"Orange Money";"'${phone}";1028200;"GNF";"${batch}";"Mariama Bah";"Ada"\r\n`
const REFUSED = 'Nothing was changed: this contradicts the records.'

test('a due order is listed, claimed, exported and delivered', async () => {
  expect(await lines('list')).toEqual(['No transfer is due, claimed, held or waiting.'])
  const id = await paid()
  const what = `${id}: GNF 1,028,200 to +224620000001 (Orange Money), paid for at 2026-11-20 12:00:00 UTC:`
  expect(await lines('list')).toEqual([`${what} due.`])
  const { said, file } = await exported('claim', { by: 'Awa' })
  const batch = /batch (\S+)\.$/.exec(said[0] ?? '')?.[1]
  expect(said).toEqual([`Claimed: 1, as the batch ${batch}.`])
  expect(file).toBe(`${HEAD}${buildRow(id, `'${batch}`)}`)
  expect(await lines('list')).toEqual([`${what} claimed by Awa at 2026-11-20 12:00:00 UTC, batch ${batch}.`])
  expect(await lines('claim', { by: 'Binta' })).toEqual(['No transfer is due.'])
  expect((await lines(`claim ${id}`, { by: 'Binta' }))[1]).toBe(`${id} is not due.`)
  expect(await lines(`delivered ${id}`, { reference: 'PP1' })).toEqual([
    'Done.',
    `${what} delivered at 2026-11-20 12:00:00 UTC, reference PP1, paid by Awa (batch ${batch}).`,
  ])
  expect((await lines(`failed ${id}`, { reason: 'rejected' }))[0]).toBe(REFUSED)
})

test('the orders of an interrupted claim are listed and exported again', async () => {
  const [id, other] = [await paid(), await paid()]
  expect(await lines('batch b1')).toEqual(['No transfer of the batch b1 is claimed.'])
  // A claim that was interrupted before it printed anything or wrote its file.
  await claimDueOrders(world.context, { batch: 'b1', by: 'Awa', ids: [other] })
  await claimDueOrders(world.context, { batch: 'b0', by: 'Binta', ids: [id] })
  const listed = await lines('list')
  expect(listed).toHaveLength(2)
  expect(listed).toEqual(
    expect.arrayContaining([
      expect.stringMatching(`^${id}: .* claimed by Binta at 2026-11-20 12:00:00 UTC, batch b0\\.$`),
      expect.stringMatching(`^${other}: .* claimed by Awa at 2026-11-20 12:00:00 UTC, batch b1\\.$`),
    ]),
  )
  const { said, file } = await exported('export b1')
  expect(said).toEqual([expect.stringContaining('batch b1.')])
  expect(file).toBe(`${HEAD}${buildRow(other, 'b1')}`)
})

test('an exported name is text for a spreadsheet, and stays one cell', async () => {
  await paid({ recipientName: '= =HYPERLINK("https://evil.example";"Bah, Mariama")' })
  expect((await exported('claim', { by: 'Awa' })).file).toContain(
    `;"'= =HYPERLINK(""https://evil.example"";'""Bah, Mariama"")";"Ada"\r\n`,
  )
})

test('the file for hand payments can be written for an English spreadsheet', async () => {
  const id = await paid()
  const { file } = await exported(`claim ${id}`, { by: 'Awa', language: 'en' })
  expect(file).toMatch(
    /^\ufeff"transfer","wallet","phone",.*\r\n"pi_\w+","Orange Money","'\+224620000001",1028200,/,
  )
})

test("an order that a fraud warning holds can't be claimed", async () => {
  const id = await paid()
  world.sandbox.stripe.raiseFraudWarning(id)
  expect((await lines(`claim ${id}`, { by: 'Awa' }))[1]).toBe(
    `${id}: it is held, so it must not be paid until it is released.`,
  )
})

describe('an order with a provider', () => {
  const DAY = 24 * HOUR
  const BUSY =
    'Nothing was changed: its provider is working on it. Ask the provider a day after the hand-over, then repeat the command.'

  async function handedOver() {
    world.payouts.will('pending')
    return paid({ provider: world.payouts.provider })
  }

  test('an order with a provider is listed and completed after a day', async () => {
    const id = await handedOver()
    expect(await lines('list')).toEqual(['No transfer is due, claimed, held or waiting.'])
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

  test('a failure that an operator reports refunds a provider’s order', async () => {
    const id = await handedOver()
    world.pass(DAY)
    world.payouts.decide('expired')
    expect((await lines(`failed ${id}`, { reason: 'expired' }))[0]).toBe('Done.')
    expect((await lines('list'))[0]).toBe('No transfer is due, claimed, held or waiting.')
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
  })
})

test('a transfer held by another user’s dispute names that user', async () => {
  const id = await paid({ card: 'pm_card_mastercard' })
  const other = await paid()
  const dispute = world.sandbox.stripe.dispute(other)
  await deliverEvents('charge.dispute.created')
  const owner = (await readOrder(other))?.uid
  expect((await lines(`release ${id}`))[0]).toBe(
    `Nothing was changed: ${dispute} stops user ${owner} and every transfer with the same card or recipient. To resume them: npm run ops -- people resume ${owner}`,
  )
  await runCommand(world.context, ['people', 'resume', owner ?? ''], addSignature(['people', 'resume', '']))
  expect(await readOrder(id)).toMatchObject({ state: 'due', holds: [] })
})

test('a transfer held by another user’s pause names that user', async () => {
  const other = await paid()
  const id = await paid({ card: 'pm_card_mastercard' })
  const owner = (await readOrder(other))?.uid ?? ''
  await pausePayments(world.context, owner, OPERATOR_PAUSE_CAUSE)
  const said = (await lines(`release ${id}`))[0]
  expect(said).toContain(`operator stops user ${owner} and`)
  expect((await lines(`release ${other}`))[0]).toContain('its sender is stopped')
})

test('the list shows that a provider may pay a called-off order', async () => {
  world.payouts.fallSilent('before')
  const id = await paid({ provider: world.payouts.provider })
  world.sandbox.stripe.dispute(id)
  for (const event of world.sandbox.stripe.events()) await world.deliver(event)
  world.pass(24 * HOUR)
  expect((await lines('list'))[0]).toMatch(/; called off \(disputed\) unless mtn pays it\.$/)
})

test("an order that can't be paid is refunded", async () => {
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
  expect((await lines(`delivered ${id}`, { reference: 'PP1' }))[0]).toBe(REFUSED)
  expect((await lines(`release ${id}`))[0]).toBe(REFUSED)
  await lines('claim', { by: 'Awa' })
  expect((await lines(`hold ${id}`))[1]).toMatch(/; held by operator, so don't pay it, and release it\.$/)
  expect((await lines(`release ${id}`))[1]).toMatch(/: held by operator\.$/)
  expect(await lines('claim', { by: 'Awa' })).toEqual(['No transfer is due.'])
  expect((await lines(`release ${id}`))[1]).toMatch(/: due\.$/)
  expect(await lines('hold pi_nobody')).toEqual([
    'pi_nobody has no delivery order: it was paid before payouts were set up, or the ID is wrong.',
  ])
})

test('the list says that it is not complete', async () => {
  const id = await paid()
  const backup = world.sandbox.firestore.dump()
  const order = (await world.context.db.doc(`deliveries/${id}`).get()).data() ?? {}
  const batch = world.context.db.batch()
  for (let n = 1; n < 500; n += 1) batch.set(world.context.db.doc(`deliveries/pi_${n}`), order)
  await batch.commit()
  expect((await lines('list')).at(-1)).toBe(
    'At most 500 transfers of a state are listed, so there may be more.',
  )
  world.sandbox.firestore.load(backup)
})

test('a transfer paid before a restore is recorded as delivered, and can’t be canceled', async () => {
  const id = await paid()
  const backup = world.sandbox.firestore.dump()
  const report = () => lines(`delivered ${id}`, { reference: 'PP1' })
  await lines('claim', { by: 'Awa' })
  await report()
  world.sandbox.firestore.load(backup)
  expect((await report())[0]).toBe(REFUSED)
  await setPaymentsClosed(world.context)
  expect((await report())[1]).toMatch(/: delivered at .*, reference PP1\.$/)
  await setPaymentsOpen(world.context)
  const { uid = '' } = (await world.records()).deliveries.get(id) ?? {}
  expect(await cancelTransfer(world.context, { uid }, { id })).toMatchObject({
    error: { code: 'cancellationTooLate' },
  })
})

test('a claimed order with a reversed charge fails once released', async () => {
  const id = await paid()
  await lines('claim', { by: 'Awa' })
  world.sandbox.stripe.dispute(id)
  for (const event of world.sandbox.stripe.events()) await world.deliver(event)
  expect((await lines('list'))[0]).toMatch(
    /its charge was reversed \(disputed\), so don't pay it, and release it\.$/,
  )
  expect((await lines(`release ${id}`))[1]).toMatch(/: failed \(disputed\), and owed back\.$/)
})

describe('an order that an operator may have paid', () => {
  const claimedByAwa = async () => {
    const id = await paid()
    await lines('claim', { by: 'Awa' })
    return id
  }
  const findAction = (said: readonly string[]) => /-- approve (\S+)/.exec(said.join(' '))?.[1]
  const approve = async (action: string | undefined) =>
    (await runCommand(world.context, ['approve', action ?? ''], { by: 'Chloé', because: 'asked Awa' })).lines

  test.each<[string, CommandOptions]>([
    ['failed', { reason: 'rejected' }],
    ['release', {}],
  ])('a colleague’s claim ends by “%s” only once it’s approved', async (command, options) => {
    const id = await claimedByAwa()
    const said = await lines(`${command} ${id}`, { ...options, by: 'Binta' })
    expect(said[0]).toMatch(/^Nothing was changed yet/)
    expect((await lines('list'))[0]).toContain('claimed by Awa')
    expect((await approve(findAction(said)))[0]).toBe('Done.')
    expect((await lines('list'))[0]).not.toContain('claimed by Awa')
  })

  test('an operator who claimed an order releases it alone', async () => {
    const id = await claimedByAwa()
    expect((await lines(`release ${id}`, { by: 'awa' }))[1]).toMatch(/: due\.$/)
  })

  test('a claim during a report of failure isn’t overruled', async () => {
    const id = await claimedByAwa()
    await expect(failDelivery(world.context, id, 'rejected', { by: 'Binta', askedAt: null })).rejects.toThrow(
      /a colleague has just claimed it/,
    )
  })

  test('an approval does not end a claim made after the request', async () => {
    const id = await claimedByAwa()
    const said = await lines(`release ${id}`, { by: 'Binta' })
    await lines(`release ${id}`, { by: 'Awa' })
    world.pass(MINUTE)
    await lines('claim', { by: 'Hawa' })
    await expect(approve(findAction(said))).rejects.toThrow(/a colleague has just claimed it/)
    expect((await lines('list'))[0]).toContain('claimed by Hawa')
  })

  test('an order whose delivery waits for approval is neither failed nor released', async () => {
    const id = await claimedByAwa()
    const words = ['deliveries', 'delivered', id]
    const { lines: said } = await runCommand(
      world.context,
      words,
      addSignature(words, { reference: 'PP1' }),
      { isSecondPersonRequired: true },
    )
    const action = findAction(said)
    const waits = `Awa reports it as delivered, which waits for approval until 2026-11-21 12:00:00 UTC: npm run ops -- approve ${action}`
    expect((await lines('list'))[0]).toMatch(new RegExp(`batch \\S+\\. ${waits}$`))
    await expect(lines(`failed ${id}`, { reason: 'rejected' })).rejects.toThrow(waits)
    await expect(lines(`release ${id}`)).rejects.toThrow(waits)
    expect((await approve(action))[1]).toMatch(/: delivered at /)
    expect((await lines(`release ${id}`))[0]).toBe(REFUSED)
  })

  test('a report of delivery that was never approved stops counting', async () => {
    const id = await claimedByAwa()
    const words = ['deliveries', 'delivered', id]
    await runCommand(world.context, words, addSignature(words, { reference: 'PP1' }), {
      isSecondPersonRequired: true,
    })
    world.pass(24 * HOUR + 1)
    expect((await lines(`release ${id}`))[1]).toMatch(/: due\.$/)
  })
})

describe('a disputed order is not exported', () => {
  // A dispute holds every order by the same card or to the same number.
  const unrelated = { recipientPhone: '+224620000002', card: 'pm_card_mastercard' }
  const dispute = async (id: string) => {
    world.sandbox.stripe.dispute(id)
    for (const event of world.sandbox.stripe.events())
      if (event.type === 'charge.dispute.created') await world.deliver(event)
  }

  test('a disputed order is not exported by a second export', async () => {
    const [id, other] = [await paid(), await paid(unrelated)]
    await claimDueOrders(world.context, { batch: 'b1', by: 'Awa', ids: [id, other] })
    await dispute(id)
    const { said, file } = await exported('export b1')
    expect(said.filter((line) => line.includes("don't pay it"))).toEqual([
      expect.stringMatching(`^${id}: .*; its charge was reversed \\(disputed\\)`),
    ])
    expect(file).toBe(`${HEAD}${buildRow(other, 'b1', unrelated.recipientPhone)}`)
  })

  test('a claim reports a disputed order instead of exporting it', async () => {
    const [id, other] = [await paid(), await paid(unrelated)]
    const { stripe } = world.context
    const retrieve = async (of: string) => {
      if (of === other) await dispute(id)
      return stripe.paymentIntents.retrieve(of)
    }
    const paymentIntents = Object.create(stripe.paymentIntents, { retrieve: { value: retrieve } })
    const context = {
      ...world.context,
      stripe: Object.create(stripe, { paymentIntents: { value: paymentIntents } }),
    }
    const path = newPath()
    const { lines: said } = await claimDeliveries(context, { by: 'Awa', ids: [id, other], path })
    const file = readFileSync(path, 'utf8')
    expect(said).toEqual([
      expect.stringMatching(/^Claimed: 2, as the batch /),
      expect.stringMatching(
        `^${id}: .*; its charge was reversed \\(disputed\\), so don't pay it, and release it\\.$`,
      ),
    ])
    expect(file).toContain(other)
    expect(file).not.toContain(id)
  })
})

test('a claim fails without any change if its file exists already', async () => {
  const id = await paid()
  const path = newPath()
  await lines('export b1', { export: path })
  await expect(lines('claim', { by: 'Awa', export: path })).rejects.toThrow(/can't be created/)
  expect((await lines('list'))[0]).toMatch(new RegExp(`^${id}: .* due\\.$`))
})

test.each<[command: string, options: CommandOptions]>([
  ['', {}],
  ['claim', { by: ' ' }],
  ['claim pi_1 ../users/1', { by: 'Awa' }],
  ['delivered pi_1', {}],
  ['failed pi_1', { reason: 'noBalance' }],
  ['release ../users/1', {}],
  ['release pi_1', { by: '' }],
  ['release pi_1', { because: ' ' }],
  ['list', { by: 'Awa' }],
  ['hold pi_1 pi_2', {}],
  ['batch', {}],
  ['batch b1', { export: 'b1.csv' }],
  ['export b1', { export: 'b1.csv', language: 'de' }],
  ['export b1', {}],
])(
  'a command about deliveries rejects incomplete or superfluous arguments: %s %o',
  async (command, options) => {
    await expect(lines(command, options)).rejects.toThrow(CommandError)
  },
)
