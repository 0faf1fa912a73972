import { expect, test } from 'vitest'
import { byHand } from '../../netlify/server/deliveries/byHand.ts'
import { record, testInEmptyWorld, world } from '../../netlify/testing/emptyWorld.ts'
import { started } from '../../netlify/testing/payments.ts'
import { requestOf } from '../../netlify/testing/world.ts'
import { Usage } from './chosenSettings.ts'
import { deliveries, type Options } from './deliveries.ts'

testInEmptyWorld({ isMoneyChecked: true })

async function paid() {
  world.payOutBy(byHand)
  const uid = await world.person()
  const request = requestOf(uid, { recipientPhone: '+224620000001' })
  const { paymentIntentId: id } = await started(request)
  await world.pay(id)
  await record(uid, request.attemptId)
  return id
}

const say = (command: string, options?: Options) => deliveries(world.context, command.split(' '), options)
const lines = async (command: string, options?: Options) => (await say(command, options)).lines
const REFUSED = 'Nothing is changed: that contradicts the records.'

test('what is due is listed, claimed into a file, and delivered', async () => {
  expect(await lines('list')).toEqual(['Nothing is due, in hand, held or waiting.'])
  const id = await paid()
  const what = `${id}: GNF 1,028,200 to +224620000001 (Orange Money), paid for at 2026-11-20 12:00 UTC:`
  expect(await lines('list')).toEqual([`${what} due.`])
  const { lines: said, file } = await say('claim', { by: 'Awa', export: 'today.csv' })
  const batch = /batch (\S+)\.$/.exec(said[0] ?? '')?.[1]
  expect(said).toEqual([`1 in hand, as the batch ${batch}.`])
  expect(file).toBe(
    `transfer,wallet,phone,amount,currency,batch\r\n${id},Orange Money,+224620000001,1028200,GNF,${batch}\r\n`,
  )
  expect(await lines('list')).toEqual([`${what} in hand of Awa since 2026-11-20 12:00 UTC, batch ${batch}.`])
  expect(await lines('claim', { by: 'Binta' })).toEqual(['Nothing is due.'])
  expect((await lines(`claim ${id}`, { by: 'Binta' }))[1]).toBe(`${id} is not due.`)
  expect(await lines(`delivered ${id}`, { reference: 'PP1' })).toEqual([
    'Done.',
    `${what} delivered at 2026-11-20 12:00 UTC, reference PP1.`,
  ])
  expect((await lines(`failed ${id}`, { reason: 'rejected' }))[0]).toBe(REFUSED)
})

test('what can’t be paid goes back to the card', async () => {
  const id = await paid()
  await lines('claim', { by: 'Awa' })
  expect((await lines(`failed ${id}`, { reason: 'recipientUnknown' }))[1]).toMatch(
    /: failed \(recipientUnknown\), and owed back\.$/,
  )
  expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
  expect((await lines(`delivered ${id}`, { reference: 'PP1' }))[1]).toMatch(/and paid back\.$/)
})

test('what contradicts the records is refused', async () => {
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

test('whose charge goes back while somebody has it in hand is told not to be paid', async () => {
  const id = await paid()
  await lines('claim', { by: 'Awa' })
  world.sandbox.stripe.dispute(id)
  for (const event of world.sandbox.stripe.events()) await world.deliver(event)
  expect((await lines('list'))[0]).toMatch(
    /its charge went back \(disputed\), so don't pay it, and release it\.$/,
  )
  expect((await lines(`release ${id}`))[1]).toMatch(/: failed \(disputed\), and owed back\.$/)
})

test('whoever says less than what is needed is told what there is', async () => {
  const id = await paid()
  for (const [command, options] of [
    ['', {}],
    ['claim', { by: ' ' }],
    [`delivered ${id}`, {}],
    [`failed ${id}`, { reason: 'noBalance' }],
    ['release ../users/1', {}],
    [`hold ${id} ${id}`, {}],
  ] as const)
    await expect(say(command, options), command).rejects.toThrow(Usage)
})
