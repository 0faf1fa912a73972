import { describe, expect, test } from 'vitest'
import { MINUTE } from '../domain/duration.ts'
import { events, later, mtn, order, paid } from './testing/deliveries.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'

testInEmptyWorld({ isMoneyChecked: true })

describe('a callback', () => {
  const call = (body: object | string, method = 'POST') =>
    fetch(`${world.origin}/.netlify/functions/delivery-callback`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  test.each(['POST', 'PUT'])('by %s makes the state be asked for, before its time', async (method) => {
    mtn()
    const { id } = await paid()
    world.pass(1_000)
    const { reference } = (await order(id)) ?? {}
    expect((await call({ referenceId: reference, externalId: id, status: 'FAILED' }, method)).status).toBe(
      200,
    )
    // It says that it failed, and the provider that it is there.
    expect(await order(id)).toMatchObject({ state: 'delivered' })
  })

  const tenTimes = async (id: string) => {
    for (let times = 0; times < 10; times += 1) {
      world.pass(1_000)
      expect((await call({ externalId: id })).status).toBe(200)
    }
  }
  const alerts = () => events().filter((event) => event === 'deliveryAlert').length

  test('makes nothing be tried again that waits, however often it comes', async () => {
    mtn()
    world.payouts.fill(1)
    const { id } = await paid()
    await later()
    const before = await order(id)
    expect([before?.state, before?.attempt, alerts()]).toEqual(['waiting', 2, 1])
    world.payouts.fill()
    world.payouts.will('noBalance')
    await tenTimes(id)
    expect(await order(id)).toEqual(before)
    expect([world.payouts.taken().length, alerts()]).toEqual([1, 1])
  })

  test('makes nothing be sent again that is on its way, nor sent later than without it', async () => {
    mtn()
    world.payouts.fallSilent('before')
    const { id } = await paid()
    const { sentAt, checkAt } = (await order(id)) ?? {}
    await tenTimes(id)
    expect(world.payouts.taken()).toEqual([])
    expect(await order(id)).toMatchObject({ state: 'handingOver', sentAt, checkAt })
    await later(MINUTE - 10_000)
    expect(await order(id)).toMatchObject({ state: 'handedOver' })
  })

  test('makes nothing be looked at later than without it', async () => {
    mtn()
    world.payouts.will('pending')
    const { id } = await paid()
    const { checkAt } = (await order(id)) ?? {}
    await tenTimes(id)
    expect(await order(id)).toMatchObject({ state: 'handedOver', checkAt })
  })

  test('that comes at once, or about nobody’s transfer, or is nonsense changes nothing', async () => {
    mtn()
    const { id } = await paid()
    expect((await call({ externalId: id, status: 'SUCCESSFUL' })).status).toBe(200)
    expect(await order(id)).toMatchObject({ state: 'handedOver' })
    expect((await call({ externalId: 'pi_nobody' })).status).toBe(200)
    expect((await call({ externalId: '../users/1' })).status).toBe(400)
    expect((await call('nonsense')).status).toBe(400)
  })
})
