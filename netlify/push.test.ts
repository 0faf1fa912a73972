import type { Fault } from 'service-emulators/faults'
import { describe, expect, test, vi } from 'vitest'
import { HOUR, MINUTE } from '../domain/duration.ts'
import { readPush } from '../domain/push.ts'
import { deleteAccount } from './server/endpoints/deleteAccount.ts'
import { signOutEverywhere } from './server/endpoints/signOutEverywhere.ts'
import { checkRefund } from './server/payments/refunds.ts'
import { updateDelivery } from './server/payouts/deliver.ts'
import { tellDevices } from './server/payouts/push/push.ts'
import { MOST_DEVICES } from './server/payouts/push/subscriptions.ts'
import { events, later, mtn, paid } from './testing/deliveries.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { START } from './testing/world.ts'

// Who wants it is told with the app closed. What goes wrong with that never touches the money.

testInEmptyWorld({ isMoneyChecked: true })

const publicKey = () => world.sandbox.functionSettings().VITE_VAPID_PUBLIC_KEY ?? ''
const newDevice = () => world.sandbox.push.subscribe(publicKey())

async function say(uid: string, body: Readonly<Record<string, unknown>>) {
  return world.invoke('push-subscription', body, { token: await world.token(uid) })
}

/** A browser of this person that is to be told. */
async function device(uid: string, { language = 'fr', subscribed = newDevice() } = {}) {
  const { endpoint, keys } = subscribed
  expect(await say(uid, { endpoint, device: { ...keys, language } })).toMatchObject({ status: 200 })
  return subscribed
}

const stored = async () => (await world.context.db.collection('pushSubscriptions').get()).docs

/** What the browsers were sent, once nothing is under way. */
async function told() {
  await Promise.all(world.context.beside)
  return world.sandbox.push
    .messages()
    .map(({ endpoint, text }) => ({ endpoint, ...readPush(JSON.parse(text)) }))
}

/** Paid, and handed over: it arrives with the next look. */
async function underWay() {
  world.offerPush()
  mtn()
  return paid()
}

describe('somebody is told', () => {
  test('that the money has arrived, on each device in its language, and of nothing before', async () => {
    const { uid, id, phone } = await underWay()
    const french = await device(uid)
    const english = await device(uid, { language: 'en' })
    await device(await world.person())
    expect(await told()).toEqual([])
    await later()
    const message = { id, kind: 'delivered', gross: { minor: 10_000, currency: 'EUR' } }
    const phoneEnd = phone.slice(-2)
    const messages = await told()
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

  test('nothing of who receives but the end of the number, in a message that is short', async () => {
    const { uid, phone } = await underWay()
    await device(uid)
    await later()
    await told()
    const [{ text } = { text: '' }] = world.sandbox.push.messages()
    expect(text).not.toContain(phone.slice(0, -2))
    expect(text).not.toContain(uid)
    expect(text.length).toBeLessThan(200)
  })

  test('that the card has everything back, and not while that is owed', async () => {
    world.offerPush()
    mtn()
    world.payouts.will('recipientUnknown')
    const { uid, id } = await paid({ card: 'pm_card_pendingRefund' })
    await device(uid)
    await later()
    expect(await told()).toEqual([])
    await later(HOUR)
    await checkRefund(world.context, id)
    expect(await told()).toMatchObject([{ id, kind: 'paidBack' }])
  })

  test('nothing while it waits for us, or is held', async () => {
    world.offerPush()
    mtn()
    world.payouts.fill(1)
    const { uid, id } = await paid()
    await device(uid)
    await later()
    await updateDelivery(world.context, id, () => ({ type: 'order.hold', cause: 'issfr_1' }))
    expect(await told()).toEqual([])
    expect(events().filter((event) => event.startsWith('push'))).toEqual([])
  })

  test('once, however often the provider says it', async () => {
    const { uid, id } = await underWay()
    await device(uid)
    const arrived = () =>
      updateDelivery(world.context, id, () => ({ type: 'payout.delivered', proof: 'W1', at: world.now() }))
    await Promise.all([arrived(), arrived(), arrived()])
    expect(await told()).toHaveLength(1)
    expect(events().filter((event) => event === 'pushTold')).toHaveLength(1)
  })
})

const SEND = 'POST /push/send'
const answers = (status: number): Fault => ({ on: SEND, times: 1, what: { kind: 'status', status } })

describe('a push service', () => {
  test('that says that a subscription is over ends it, and the other devices are told', async () => {
    const { uid } = await underWay()
    const over = await device(uid)
    const good = await device(uid)
    world.sandbox.push.end(over.endpoint)
    await later()
    expect(await told()).toMatchObject([{ endpoint: good.endpoint }])
    expect((await stored()).map((one) => one.get('endpoint'))).toEqual([good.endpoint])
    expect(world.logged).toContainEqual(expect.objectContaining({ event: 'pushGone', count: 1 }))
  })

  test('that does not know a subscription ends it too', async () => {
    const { uid } = await underWay()
    await device(uid)
    world.sandbox.push.reset()
    await later()
    expect(await told()).toEqual([])
    expect(await stored()).toEqual([])
  })

  test.each<readonly [string, Fault, string]>([
    ['is asked too often', answers(429), 'pushRefused'],
    ['is down', answers(503), 'pushRefused'],
    ['finds a message too large', answers(413), 'pushRefused'],
    ['does not know the signature', answers(403), 'pushRefused'],
    ['breaks the connection', { on: SEND, times: 1, what: { kind: 'cutBefore' } }, 'pushSilent'],
  ])('that %s is not asked again, and the device stays', async (_, fault, event) => {
    const { uid, id, phone } = await underWay()
    const { endpoint, keys } = await device(uid)
    world.sandbox.faults.add(fault)
    await later()
    await later(HOUR)
    expect(await told()).toEqual([])
    expect(await stored()).toHaveLength(1)
    expect(world.logged).toContainEqual({ level: 'error', event, paymentIntentId: id, count: 1 })
    const log = JSON.stringify(world.logged)
    for (const secret of [endpoint, keys.auth, keys.p256dh, phone, uid]) expect(log).not.toContain(secret)
  })

  test('that never answers holds up neither the payout nor the answer of a function for long', async () => {
    const { uid, id } = await underWay()
    await device(uid)
    const context = { ...world.context, fetch: () => new Promise<never>(() => {}) }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const state = await updateDelivery(context, id, () => ({
        type: 'payout.delivered',
        proof: 'W1',
        at: START,
      }))
      expect(state?.order.state).toBe('delivered')
      expect(context.beside.size).toBe(1)
      const isOver = Promise.all(context.beside)
      await vi.advanceTimersByTimeAsync(3_000)
      await isOver
    } finally {
      vi.useRealTimers()
    }
    expect(context.beside.size).toBe(0)
    expect(events()).toContain('pushFailed')
  })

  test('is followed nowhere', async () => {
    const { uid, id } = await underWay()
    await device(uid)
    const asked: RequestInit[] = []
    const context = {
      ...world.context,
      fetch: async (_: unknown, init: RequestInit = {}) => {
        asked.push(init)
        return new Response(null, { status: 307, headers: { location: 'http://169.254.169.254/' } })
      },
    }
    tellDevices(context, { uid, id, kind: 'delivered' })
    await Promise.all(context.beside)
    expect(asked).toMatchObject([{ redirect: 'manual' }])
  })

  test('that fails does not keep a function from answering', async () => {
    const { uid } = await underWay()
    await device(uid)
    world.sandbox.faults.add({ on: SEND, times: 9, what: { kind: 'cutBefore' } })
    world.pass(MINUTE)
    expect(await world.invoke('sweep', {})).toMatchObject({ status: 200 })
    // The answer has waited for it: the host may stop the process then.
    expect(world.context.beside.size).toBe(0)
    expect(events()).toContain('pushSilent')
  })
})

const SESSION = { way: 'phone', isUnverified: false } as const

describe('nobody is told any more', () => {
  const ends: Readonly<Record<string, (uid: string, endpoint: string) => Promise<unknown>>> = {
    'who has signed out there': (uid, endpoint) => say(uid, { endpoint, device: null }),
    'who has signed out everywhere': async (uid) => {
      const at = world.now()
      await signOutEverywhere(world.context, { ...SESSION, uid, issuedAt: at, signedInAt: at })
    },
    'whose account is deleted': async (uid) => {
      await world.context.db.doc(`deletions/${uid}`).set({ uid, status: 'due', createdAt: world.now() })
      await deleteAccount(world.context, { ...SESSION, uid, issuedAt: START, signedInAt: START })
    },
    'whose sessions were ended elsewhere': (uid) =>
      world.context.accounts.endSessions(uid, world.now() + 1000),
    'whose account is disabled': async (uid) => world.sandbox.auth.setDisabled(uid, true),
    'whose account is gone': (uid) => world.context.accounts.remove(uid),
  }
  // Of what ends elsewhere the product learns when it has something to tell.
  const ELSEWHERE = [
    'whose sessions were ended elsewhere',
    'whose account is disabled',
    'whose account is gone',
  ]
  test.each(Object.entries(ends))('%s', async (who, end) => {
    const { uid } = await underWay()
    const { endpoint } = await device(uid)
    await end(uid, endpoint)
    expect(await stored()).toHaveLength(ELSEWHERE.includes(who) ? 1 : 0)
    await later()
    expect(await told()).toEqual([])
    expect(await stored()).toEqual([])
  })

  test('on a phone that went to somebody else meanwhile, whose subscription is not ended by that', async () => {
    const { uid, id } = await underWay()
    const { endpoint, keys } = await device(uid)
    const other = await world.person()
    const context = {
      ...world.context,
      // Otherwise the answer to the other person would wait for this message.
      beside: new Set<Promise<void>>(),
      fetch: async () => {
        await say(other, { endpoint, device: { ...keys, language: 'fr' } })
        return new Response(null, { status: 410 })
      },
    }
    tellDevices(context, { uid, id, kind: 'delivered' })
    await Promise.all(context.beside)
    expect((await stored()).map((one) => one.get('uid'))).toEqual([other])
  })
})

describe('a subscription', () => {
  test('is kept as it was said, once', async () => {
    world.offerPush()
    const uid = await world.person()
    const { endpoint, keys } = await device(uid)
    await device(uid, { language: 'en', subscribed: { endpoint, keys } })
    expect((await stored()).map((one) => one.data())).toEqual([
      { uid, endpoint, ...keys, language: 'en', issuedAt: START, createdAt: START },
    ])
  })

  test('moves to who is signed in on the device now', async () => {
    const { uid } = await underWay()
    const subscribed = await device(uid)
    const next = await world.person()
    await device(next, { subscribed })
    await later()
    expect(await told()).toEqual([])
    expect((await stored()).map((one) => one.get('uid'))).toEqual([next])
  })

  test('is taken from nobody by who knows its address alone', async () => {
    world.offerPush()
    const uid = await world.person()
    const { endpoint } = await device(uid)
    const other = await world.person()
    const device2 = { ...newDevice().keys, language: 'fr' }
    expect(await say(other, { endpoint, device: device2 })).toMatchObject({ status: 403 })
    expect(await say(other, { endpoint, device: null })).toMatchObject({ status: 200 })
    expect((await stored()).map((one) => one.get('uid'))).toEqual([uid])
  })

  test('is good again once the device says so by a session that began since', async () => {
    const { uid, id } = await underWay()
    const subscribed = await device(uid)
    await world.context.accounts.endSessions(uid, world.now() + 1000)
    world.pass(1000)
    await device(uid, { subscribed })
    await later()
    expect(await told()).toMatchObject([{ id, endpoint: subscribed.endpoint }])
  })

  test(`too many takes the place of the oldest of its person: ${MOST_DEVICES} stay`, async () => {
    world.offerPush()
    const uid = await world.person()
    const other = await device(await world.person())
    const made = []
    for (let count = 0; count <= MOST_DEVICES; count += 1) {
      world.pass(1000)
      made.push(await device(uid))
    }
    const endpoints = (await stored()).map((one) => one.get('endpoint'))
    const kept = [other, ...made.slice(1)].map(({ endpoint }) => endpoint)
    expect(endpoints.toSorted()).toEqual(kept.toSorted())
  })

  test('at an address that is no push service is refused', async () => {
    world.offerPush()
    const uid = await world.person()
    const { keys } = newDevice()
    const endpoint = 'http://169.254.169.254/latest/meta-data'
    expect(await say(uid, { endpoint, device: { ...keys, language: 'fr' } })).toMatchObject({
      status: 400,
      body: { code: 'pushServiceUnknown' },
    })
    expect(await stored()).toEqual([])
  })

  test('at a push service of a browser is taken', async () => {
    world.offerPush()
    const endpoint = 'https://fcm.googleapis.com/fcm/send/x:y'
    await device(await world.person(), { subscribed: { ...newDevice(), endpoint } })
    expect(await stored()).toHaveLength(1)
  })

  const good = () => newDevice().keys
  test.each<readonly [string, () => Record<string, unknown>]>([
    ['a key that is no point of the curve', () => ({ ...good(), p256dh: `B${'A'.repeat(86)}` })],
    ['a key that is too short', () => ({ ...good(), p256dh: good().p256dh.slice(0, -4) })],
    ['a secret that is too long', () => ({ ...good(), auth: 'a'.repeat(23) })],
    ['a language that nobody speaks', () => ({ ...good(), language: 'de' })],
    ['more than is asked', () => ({ ...good(), uid: 'person-1' })],
  ])('with %s is refused', async (_, keys) => {
    world.offerPush()
    const uid = await world.person()
    const { endpoint } = newDevice()
    const said = await say(uid, { endpoint, device: { language: 'fr', ...keys() } })
    expect(said).toMatchObject({ status: 400, body: { code: 'invalidRequest' } })
    expect(await stored()).toEqual([])
  })

  test('with an address that is too long is refused', async () => {
    world.offerPush()
    const endpoint = `https://web.push.apple.com/${'x'.repeat(1000)}`
    const said = await say(await world.person(), { endpoint, device: { ...good(), language: 'fr' } })
    expect(said).toMatchObject({ status: 400, body: { code: 'invalidRequest' } })
  })

  test('is not taken where nobody is told, and nobody is looked for there', async () => {
    mtn()
    const { uid } = await paid()
    const { endpoint, keys } = newDevice()
    expect(await say(uid, { endpoint, device: { ...keys, language: 'fr' } })).toMatchObject({
      status: 503,
      body: { code: 'pushUnavailable' },
    })
    await later()
    expect(world.context.beside.size).toBe(0)
  })
})
