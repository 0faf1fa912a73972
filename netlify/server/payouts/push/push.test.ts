import type { Fault } from 'service-emulators/faults'
import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import { HOUR, MINUTE } from '../../../../domain/common/duration.ts'
import { pushSchema } from '../../../../domain/transfers/push.ts'
import {
  enableSimulatedProvider,
  listLoggedEvents,
  passTimeWithJob,
  payTransfer,
} from '../../../testing/deliveries.ts'
import { resetWorldForEachTest, world } from '../../../testing/emptyWorld.ts'
import { WORLD_START } from '../../../testing/world.ts'
import { deleteAccount } from '../../endpoints/deleteAccount.ts'
import { signOutEverywhere } from '../../endpoints/signOutEverywhere.ts'
import { syncDebt } from '../../payments/refunds.ts'
import { updateDelivery } from '../deliver.ts'
import { sendPush } from './push.ts'
import { MAX_PUSH_DEVICES } from './subscriptions.ts'

resetWorldForEachTest({ isMoneyChecked: true })

const publicKey = () => world.sandbox.functionSettings().VITE_VAPID_PUBLIC_KEY ?? ''
const newDevice = () => world.sandbox.push.subscribe(publicKey())

async function callPushSubscription(uid: string, body: Readonly<Record<string, unknown>>) {
  return world.invoke('push-subscription', body, { token: await world.token(uid) })
}

async function registerDevice(uid: string, { language = 'fr', subscribed = newDevice() } = {}) {
  const { endpoint, keys } = subscribed
  expect(await callPushSubscription(uid, { endpoint, device: { ...keys, language } })).toMatchObject({
    status: 200,
  })
  return subscribed
}

const stored = async () => (await world.context.db.collection('pushSubscriptions').get()).docs

async function receiveMessages() {
  await Promise.all(world.context.backgroundWork)
  return world.sandbox.push
    .messages()
    .map(({ endpoint, text }) => ({ endpoint, ...v.parse(pushSchema, JSON.parse(text)) }))
}

async function payHandedOverTransfer() {
  world.offerPush()
  enableSimulatedProvider()
  return payTransfer()
}

describe('a user with a registered device', () => {
  test('each device is notified in its language once money has arrived', async () => {
    const { uid, id, phone } = await payHandedOverTransfer()
    const french = await registerDevice(uid)
    const english = await registerDevice(uid, { language: 'en' })
    await registerDevice(await world.person())
    expect(await receiveMessages()).toEqual([])
    await passTimeWithJob()
    const message = { id, kind: 'delivered', gross: { minor: 10_000, currency: 'EUR' } }
    const phoneEnd = phone.slice(-2)
    const messages = await receiveMessages()
    expect(messages).toHaveLength(2)
    expect(messages).toContainEqual({ ...message, phoneEnd, endpoint: french.endpoint, language: 'fr' })
    expect(messages).toContainEqual({ ...message, phoneEnd, endpoint: english.endpoint, language: 'en' })
    expect(world.sandbox.push.messages()[0]).toMatchObject({
      ttl: 24 * 3600,
      urgency: 'high',
      topic: expect.stringMatching(/^[\w-]{32}$/),
      subject: 'mailto:sandbox@passerelle.example',
    })
  })

  test('a message has under 200 characters and no personal data', async () => {
    const { uid, phone } = await payHandedOverTransfer()
    await registerDevice(uid)
    await passTimeWithJob()
    await receiveMessages()
    const [{ text } = { text: '' }] = world.sandbox.push.messages()
    expect(text).not.toContain(phone.slice(0, -2))
    expect(text).not.toContain(uid)
    expect(text.length).toBeLessThan(200)
  })

  test('the user is notified of a made refund, not an owed', async () => {
    world.offerPush()
    enableSimulatedProvider()
    world.payouts.will('recipientUnknown')
    const { uid, id } = await payTransfer({ card: 'pm_card_pendingRefund' })
    await registerDevice(uid)
    await passTimeWithJob()
    expect(await receiveMessages()).toEqual([])
    await passTimeWithJob(HOUR)
    await syncDebt(world.context, id)
    expect(await receiveMessages()).toMatchObject([{ id, kind: 'paidBack' }])
  })

  test('does not notify the user while a transfer waits or is held', async () => {
    world.offerPush()
    enableSimulatedProvider()
    world.payouts.fill(1)
    const { uid, id } = await payTransfer()
    await registerDevice(uid)
    await passTimeWithJob()
    await updateDelivery(world.context, id, () => ({ type: 'order.hold', cause: 'issfr_1' }))
    expect(await receiveMessages()).toEqual([])
    expect(listLoggedEvents().filter((event) => event.startsWith('push'))).toEqual([])
  })

  test('notifies the user once, however often the provider reports the delivery', async () => {
    const { uid, id } = await payHandedOverTransfer()
    await registerDevice(uid)
    const arrived = () =>
      updateDelivery(world.context, id, () => ({ type: 'payout.delivered', proof: 'W1', at: world.now() }))
    await Promise.all([arrived(), arrived(), arrived()])
    expect(await receiveMessages()).toHaveLength(1)
    expect(listLoggedEvents().filter((event) => event === 'pushSent')).toHaveLength(1)
  })
})

const SEND = 'POST /push/send'
const answers = (status: number): Fault => ({ on: SEND, times: 1, what: { kind: 'status', status } })

describe('a push service', () => {
  test('removes an expired push subscription, and notifies the other devices', async () => {
    const { uid } = await payHandedOverTransfer()
    const over = await registerDevice(uid)
    const good = await registerDevice(uid)
    world.sandbox.push.end(over.endpoint)
    await passTimeWithJob()
    expect(await receiveMessages()).toMatchObject([{ endpoint: good.endpoint }])
    expect((await stored()).map((one) => one.get('endpoint'))).toEqual([good.endpoint])
    expect(world.logged).toContainEqual(expect.objectContaining({ event: 'pushExpired', count: 1 }))
  })

  test('skips a push subscription with invalid keys, and notifies the other devices', async () => {
    const { uid } = await payHandedOverTransfer()
    const broken = await registerDevice(uid)
    const good = await registerDevice(uid)
    const [stale] = (await stored()).filter((one) => one.get('endpoint') === broken.endpoint)
    await stale?.ref.update({ p256dh: 'broken' })
    await passTimeWithJob()
    expect(await receiveMessages()).toMatchObject([{ endpoint: good.endpoint }])
    for (const event of ['pushSent', 'pushUnsendable'])
      expect(world.logged).toContainEqual(expect.objectContaining({ event, count: 1 }))
    expect(listLoggedEvents()).not.toContain('pushFailed')
  })

  test('removes a push subscription that its service does not know', async () => {
    const { uid } = await payHandedOverTransfer()
    await registerDevice(uid)
    world.sandbox.push.reset()
    await passTimeWithJob()
    expect(await receiveMessages()).toEqual([])
    expect(await stored()).toEqual([])
  })

  test.each<readonly [string, Fault, string]>([
    ['limits the rate', answers(429), 'pushRefused'],
    ['is down', answers(503), 'pushRefused'],
    ['finds a message too large', answers(413), 'pushRefused'],
    ['does not know the signature', answers(403), 'pushRefused'],
    ['breaks the connection', { on: SEND, times: 1, what: { kind: 'cutBefore' } }, 'pushTimedOut'],
  ])('no message is repeated, and no device lost, if the service %s', async (_, fault, event) => {
    const { uid, id, phone } = await payHandedOverTransfer()
    const { endpoint, keys } = await registerDevice(uid)
    world.sandbox.faults.add(fault)
    await passTimeWithJob()
    await passTimeWithJob(HOUR)
    expect(await receiveMessages()).toEqual([])
    expect(await stored()).toHaveLength(1)
    expect(world.logged).toContainEqual({ level: 'error', event, paymentIntentId: id, count: 1 })
    const log = JSON.stringify(world.logged)
    for (const secret of [endpoint, keys.auth, keys.p256dh, phone, uid]) expect(log).not.toContain(secret)
  })

  test('a silent push service never delays a payout', async () => {
    const { uid, id } = await payHandedOverTransfer()
    await registerDevice(uid)
    const context = { ...world.context, fetch: () => new Promise<never>(() => {}) }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const state = await updateDelivery(context, id, () => ({
        type: 'payout.delivered',
        proof: 'W1',
        at: WORLD_START,
      }))
      expect(state?.order.state).toBe('delivered')
      expect(context.backgroundWork.size).toBe(1)
      const isOver = Promise.all(context.backgroundWork)
      await vi.advanceTimersByTimeAsync(3_000)
      await isOver
    } finally {
      vi.useRealTimers()
    }
    expect(context.backgroundWork.size).toBe(0)
    expect(listLoggedEvents()).toContain('pushFailed')
  })

  test('does not follow the redirects of a push service', async () => {
    const { uid, id } = await payHandedOverTransfer()
    await registerDevice(uid)
    const asked: RequestInit[] = []
    const context = {
      ...world.context,
      fetch: async (_: unknown, init: RequestInit = {}) => {
        asked.push(init)
        return new Response(null, { status: 307, headers: { location: 'http://169.254.169.254/' } })
      },
    }
    sendPush(context, { uid, id, kind: 'delivered' })
    await Promise.all(context.backgroundWork)
    expect(asked).toMatchObject([{ redirect: 'manual' }])
  })

  test('a function answers a call even if a push service fails', async () => {
    const { uid } = await payHandedOverTransfer()
    await registerDevice(uid)
    world.sandbox.faults.add({ on: SEND, times: 9, what: { kind: 'cutBefore' } })
    world.pass(MINUTE)
    expect(await world.invoke('due-work', {})).toMatchObject({ status: 200 })
    // The response waited for the message, because the host may stop the process after the response.
    expect(world.context.backgroundWork.size).toBe(0)
    expect(listLoggedEvents()).toContain('pushTimedOut')
  })
})

const SESSION = { way: 'phone', token: '', isUnverified: false } as const

describe('a device without a valid session', () => {
  const ends: Readonly<Record<string, (uid: string, endpoint: string) => Promise<unknown>>> = {
    'a user who has signed out on the device': (uid, endpoint) =>
      callPushSubscription(uid, { endpoint, device: null }),
    'a user who has signed out everywhere': async (uid) => {
      const at = world.now()
      await signOutEverywhere(world.context, { ...SESSION, uid, issuedAt: at, signedInAt: at })
    },
    'a user whose account is deleted': async (uid) => {
      await world.context.db.doc(`deletions/${uid}`).set({ uid, status: 'due', createdAt: world.now() })
      await deleteAccount(world.context, { ...SESSION, uid, issuedAt: WORLD_START, signedInAt: WORLD_START })
    },
    'a user whose sessions were ended elsewhere': (uid) =>
      world.context.accounts.endSessions(uid, world.now() + 1000),
    'a user whose account is disabled': async (uid) => world.sandbox.auth.setDisabled(uid, true),
    'a user whose account no longer exists': (uid) => world.context.accounts.remove(uid),
  }
  // The functions learn of these only when they have a message to send.
  const ENDED_ELSEWHERE = [
    'a user whose sessions were ended elsewhere',
    'a user whose account is disabled',
    'a user whose account no longer exists',
  ]
  test.each(Object.entries(ends))('sends no more push messages to %s', async (who, end) => {
    const { uid } = await payHandedOverTransfer()
    const { endpoint } = await registerDevice(uid)
    await end(uid, endpoint)
    expect(await stored()).toHaveLength(ENDED_ELSEWHERE.includes(who) ? 1 : 0)
    await passTimeWithJob()
    expect(await receiveMessages()).toEqual([])
    expect(await stored()).toEqual([])
  })

  test('a failed message keeps a subscription that another user took over', async () => {
    const { uid, id } = await payHandedOverTransfer()
    const { endpoint, keys } = await registerDevice(uid)
    const other = await world.person()
    const context = {
      ...world.context,
      // The call of the other user must not wait for this message.
      backgroundWork: new Set<Promise<void>>(),
      fetch: async () => {
        await callPushSubscription(other, { endpoint, device: { ...keys, language: 'fr' } })
        return new Response(null, { status: 410 })
      },
    }
    sendPush(context, { uid, id, kind: 'delivered' })
    await Promise.all(context.backgroundWork)
    expect((await stored()).map((one) => one.get('uid'))).toEqual([other])
  })
})

describe('a push subscription', () => {
  test('stores a repeated push subscription once, with the latest language', async () => {
    world.offerPush()
    const uid = await world.person()
    const { endpoint, keys } = await registerDevice(uid)
    await registerDevice(uid, { language: 'en', subscribed: { endpoint, keys } })
    expect((await stored()).map((one) => one.data())).toEqual([
      { uid, endpoint, ...keys, language: 'en', issuedAt: WORLD_START, createdAt: WORLD_START },
    ])
  })

  test('a subscription moves to the user signed in on the device', async () => {
    const { uid } = await payHandedOverTransfer()
    const subscribed = await registerDevice(uid)
    const next = await world.person()
    await registerDevice(next, { subscribed })
    await passTimeWithJob()
    expect(await receiveMessages()).toEqual([])
    expect((await stored()).map((one) => one.get('uid'))).toEqual([next])
  })

  test('a subscription’s URL alone gives no control over it', async () => {
    world.offerPush()
    const uid = await world.person()
    const { endpoint } = await registerDevice(uid)
    const other = await world.person()
    const device2 = { ...newDevice().keys, language: 'fr' }
    expect(await callPushSubscription(other, { endpoint, device: device2 })).toMatchObject({ status: 403 })
    expect(await callPushSubscription(other, { endpoint, device: null })).toMatchObject({ status: 200 })
    expect((await stored()).map((one) => one.get('uid'))).toEqual([uid])
  })

  test('accepts a push subscription again from a later session', async () => {
    const { uid, id } = await payHandedOverTransfer()
    const subscribed = await registerDevice(uid)
    await world.context.accounts.endSessions(uid, world.now() + 1000)
    world.pass(1000)
    await registerDevice(uid, { subscribed })
    await passTimeWithJob()
    expect(await receiveMessages()).toMatchObject([{ id, endpoint: subscribed.endpoint }])
  })

  test(`beyond ${MAX_PUSH_DEVICES} subscriptions, a user’s newest replaces the oldest`, async () => {
    world.offerPush()
    const uid = await world.person()
    const other = await registerDevice(await world.person())
    const made = []
    for (let count = 0; count <= MAX_PUSH_DEVICES; count += 1) {
      world.pass(1000)
      made.push(await registerDevice(uid))
    }
    const endpoints = (await stored()).map((one) => one.get('endpoint'))
    const kept = [other, ...made.slice(1)].map(({ endpoint }) => endpoint)
    expect(endpoints.toSorted()).toEqual(kept.toSorted())
  })

  test('a subscription off the push services is refused', async () => {
    world.offerPush()
    const uid = await world.person()
    const { keys } = newDevice()
    const endpoint = 'http://169.254.169.254/latest/meta-data'
    expect(await callPushSubscription(uid, { endpoint, device: { ...keys, language: 'fr' } })).toMatchObject({
      status: 400,
      body: { code: 'pushServiceUnknown' },
    })
    expect(await stored()).toEqual([])
  })

  test("accepts a push subscription at a browser vendor's push service", async () => {
    world.offerPush()
    const endpoint = 'https://fcm.googleapis.com/fcm/send/x:y'
    await registerDevice(await world.person(), { subscribed: { ...newDevice(), endpoint } })
    expect(await stored()).toHaveLength(1)
  })

  const good = () => newDevice().keys
  test.each<readonly [string, () => Record<string, unknown>]>([
    ['a key that is not a point of the curve', () => ({ ...good(), p256dh: `B${'A'.repeat(86)}` })],
    ['a key that is too short', () => ({ ...good(), p256dh: good().p256dh.slice(0, -4) })],
    ['a secret that is too long', () => ({ ...good(), auth: 'a'.repeat(23) })],
    ['an unsupported language', () => ({ ...good(), language: 'de' })],
    ['an unknown field', () => ({ ...good(), uid: 'person-1' })],
  ])('refuses a push subscription with %s', async (_, keys) => {
    world.offerPush()
    const uid = await world.person()
    const { endpoint } = newDevice()
    const said = await callPushSubscription(uid, { endpoint, device: { language: 'fr', ...keys() } })
    expect(said).toMatchObject({ status: 400, body: { code: 'invalidRequest' } })
    expect(await stored()).toEqual([])
  })

  test('refuses a push subscription with a URL that is too long', async () => {
    world.offerPush()
    const endpoint = `https://web.push.apple.com/${'x'.repeat(1000)}`
    const said = await callPushSubscription(await world.person(), {
      endpoint,
      device: { ...good(), language: 'fr' },
    })
    expect(said).toMatchObject({ status: 400, body: { code: 'invalidRequest' } })
  })

  test('unconfigured notifications refuse a subscription', async () => {
    enableSimulatedProvider()
    const { uid } = await payTransfer()
    const { endpoint, keys } = newDevice()
    expect(await callPushSubscription(uid, { endpoint, device: { ...keys, language: 'fr' } })).toMatchObject({
      status: 503,
      body: { code: 'pushUnavailable' },
    })
    await passTimeWithJob()
    expect(world.context.backgroundWork.size).toBe(0)
  })
})
