import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../../domain/common/duration.ts'
import {
  enableSimulatedProvider,
  listLoggedEvents,
  passTimeWithJob,
  payTransfer,
  readOrder,
} from '../../testing/deliveries.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'

resetWorldForEachTest({ isMoneyChecked: true })

describe('a callback of a payout provider', () => {
  const call = (body: object | string, method = 'POST') =>
    fetch(`${world.origin}/.netlify/functions/delivery-callback`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  test.each(['POST', 'PUT'])('a callback by %s starts a status check, which decides', async (method) => {
    enableSimulatedProvider()
    const { id } = await payTransfer()
    world.pass(1_000)
    const { reference } = (await readOrder(id)) ?? {}
    expect((await call({ referenceId: reference, externalId: id, status: 'FAILED' }, method)).status).toBe(
      200,
    )
    expect(await readOrder(id)).toMatchObject({ state: 'delivered' })
  })

  const callTenTimes = async (id: string) => {
    for (let times = 0; times < 10; times += 1) {
      world.pass(1_000)
      expect((await call({ externalId: id })).status).toBe(200)
    }
  }
  const alerts = () => listLoggedEvents().filter((event) => event === 'deliveryAlert').length

  test('repeated callbacks do not retry a waiting order', async () => {
    enableSimulatedProvider()
    world.payouts.fill(1)
    const { id } = await payTransfer()
    await passTimeWithJob()
    const before = await readOrder(id)
    expect([before?.state, before?.attempt, alerts()]).toEqual(['waiting', 2, 1])
    world.payouts.fill()
    world.payouts.will('noBalance')
    await callTenTimes(id)
    expect(await readOrder(id)).toEqual(before)
    expect([world.payouts.taken().length, alerts()]).toEqual([1, 1])
  })

  test('repeated callbacks neither send a payout again nor delay it', async () => {
    enableSimulatedProvider()
    world.payouts.fallSilent('before')
    const { id } = await payTransfer()
    const { sentAt, checkAt } = (await readOrder(id)) ?? {}
    await callTenTimes(id)
    expect(world.payouts.taken()).toEqual([])
    expect(await readOrder(id)).toMatchObject({ state: 'handingOver', sentAt, checkAt })
    await passTimeWithJob(MINUTE - 10_000)
    expect(await readOrder(id)).toMatchObject({ state: 'handedOver' })
  })

  test('repeated callbacks do not postpone the next status check', async () => {
    enableSimulatedProvider()
    world.payouts.will('pending')
    const { id } = await payTransfer()
    const { checkAt } = (await readOrder(id)) ?? {}
    await callTenTimes(id)
    expect(await readOrder(id)).toMatchObject({ state: 'handedOver', checkAt })
  })

  test('a callback about an unknown transfer begins no transaction', async () => {
    enableSimulatedProvider()
    const before = world.requests.length
    expect((await call({ externalId: 'pi_nobody' })).status).toBe(200)
    expect(world.requests.slice(before).join()).not.toMatch(/beginTransaction|commit|rollback/i)
  })

  test('an early or unknown callback is ignored, an invalid one refused', async () => {
    enableSimulatedProvider()
    const { id } = await payTransfer()
    expect((await call({ externalId: id, status: 'SUCCESSFUL' })).status).toBe(200)
    expect(await readOrder(id)).toMatchObject({ state: 'handedOver' })
    expect((await call({ externalId: 'pi_nobody' })).status).toBe(200)
    expect((await call({ externalId: '../users/1' })).status).toBe(400)
    expect((await call('nonsense')).status).toBe(400)
  })
})
