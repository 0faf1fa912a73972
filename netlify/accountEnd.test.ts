import { deleteApp, initializeApp } from 'firebase/app'
import {
  type Auth,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  getAuth,
  sendEmailVerification,
  signInWithEmailAndPassword,
} from 'firebase/auth'
import { DocumentReference, Firestore, Query, WriteBatch } from 'firebase-admin/firestore'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { HOUR, MINUTE } from '../domain/duration.ts'
import { createWorld, requestOf, type World } from './testing/world.ts'

// Signing out everywhere, and deleting an account.

const EMAIL = 'ada@example.com'
const PASSWORD = 'correct horse'

let world: World
let auth: Auth
let uid: string
let token: string

beforeAll(async () => {
  world = await createWorld({ sockets: true })
  auth = getAuth(initializeApp({ projectId: 'demo-passerelle', apiKey: 'sandbox' }))
  connectAuthEmulator(auth, world.origin, { disableWarnings: true })
})
beforeEach(async () => {
  world.reset()
  ;({ uid, token } = await signUp(EMAIL))
})
afterEach(() => world.checkInvariants())
afterAll(async () => {
  await deleteApp(auth.app)
  await world.close()
})

async function signUp(email: string) {
  const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD)
  await sendEmailVerification(user)
  await fetch(world.sandbox.auth.mails()[0]?.link ?? '')
  await world.context.db.doc(`users/${user.uid}`).set({
    email,
    name: 'Ada Lovelace',
    phone: null,
    createdAt: new Date(world.now()),
    subscription: {},
    madeWith: 'address',
    verifiedAddress: email,
  })
  return { uid: user.uid, token: await user.getIdToken(true) }
}

const accountNames = () => world.sandbox.auth.dump().accounts.map(({ email }) => email)
const remove = (as = token) => world.call('delete-account', {}, as)
const signOutEverywhere = (as = token) => world.call('sign-out-everywhere', {}, as)
const GONE = { status: 200, body: { outcome: 'deleted' } }

async function idsIn(collection: string): Promise<string[]> {
  return (await world.context.db.collection(collection).get()).docs.map(({ id }) => id).sort()
}

const own = (userId: string) => ({ userId, name: 'Mariama', phone: '+224620000000' })

const documentNames = () => world.sandbox.storage.objects().map(({ name }) => name)

async function putDocument(userId: string) {
  const place = `${world.origin}/v0/b/demo-passerelle.firebasestorage.app/o`
  const headers = {
    authorization: 'Bearer owner',
    'x-goog-upload-protocol': 'multipart',
    'content-type': 'multipart/related; boundary=x',
  }
  const body =
    '--x\r\nContent-Type: application/json\r\n\r\n{}\r\n--x\r\nContent-Type: image/png\r\n\r\nPNG\r\n--x--'
  const name = `identity/${userId}/passport`
  expect(
    (await fetch(`${place}?name=${encodeURIComponent(name)}`, { method: 'POST', headers, body })).status,
  ).toBe(200)
}

/** What a person leaves behind, beside what another one has. */
async function livedIn(contacts = 3) {
  const { db } = world.context
  for (let index = 0; index < contacts; index += 1) await db.doc(`contacts/ada-${index}`).set(own(uid))
  await db.doc('contacts/eve').set(own('eve'))
  await putDocument(uid)
  await putDocument('eve')
  await db.doc(`submissions/${uid}`).set({ name: 'x', count: 1 })
  await db.doc('files/ada').set({ userId: uid, status: 'approved' })
  await db.doc('files/eve').set({ userId: 'eve', status: 'pending' })
  for (const id of [uid, 'eve']) await db.doc(`pushSubscriptions/${id}`).set({ uid: id })
  await db.doc('users/eve').set({ name: 'Eve', subscription: {} })
}

/** What everybody but the person has is as it was, and so is what has to be kept. */
async function expectNothingPersonal() {
  expect(await idsIn('users')).toEqual(['eve'])
  expect(await idsIn('contacts')).toEqual(['eve'])
  expect(await idsIn('files')).toEqual(['eve'])
  expect(await idsIn('submissions')).toEqual([])
  expect(await idsIn('pushSubscriptions')).toEqual(['eve'])
  expect(documentNames()).toEqual(['identity/eve/passport'])
  expect(accountNames()).toEqual([])
}

async function payOnce() {
  const { body } = await world.call('create-payment-intent', requestOf(uid), token)
  return { id: String(body.paymentIntentId) }
}

describe('signing out everywhere', () => {
  test('ends what was signed in before, and nothing that comes after', async () => {
    world.pass(2000)
    expect(await signOutEverywhere()).toEqual({ status: 200, body: {} })
    await expect(auth.currentUser?.getIdToken(true)).rejects.toMatchObject({
      code: 'auth/user-token-expired',
    })
    const { user } = await signInWithEmailAndPassword(auth, EMAIL, PASSWORD)
    await expect(user.getIdToken(true)).resolves.toBeTruthy()
  })

  test('is done once: a token from before signs nobody out again', async () => {
    world.pass(2000)
    await signOutEverywhere()
    const { user } = await signInWithEmailAndPassword(auth, EMAIL, PASSWORD)
    world.pass(MINUTE)
    expect(await signOutEverywhere()).toEqual({ status: 200, body: {} })
    await expect(user.getIdToken(true)).resolves.toBeTruthy()
  })

  test('leaves a token that is out there its hour, but no payment begins with it', async () => {
    const begun = requestOf(uid)
    expect((await world.call('create-payment-intent', begun, token)).status).toBe(200)
    const ask = () => world.call('record-transfer', { attemptId: begun.attemptId }, token)
    world.pass(2000)
    await signOutEverywhere()
    expect((await world.call('create-payment-intent', requestOf(uid), token)).status).toBe(401)
    expect((await world.call('create-payment-intent', begun, token)).status).toBe(401)
    world.pass(HOUR - 3 * MINUTE)
    expect((await ask()).status).toBe(200)
    world.pass(3 * MINUTE)
    expect((await ask()).status).toBe(401)
  })

  test('says so when the sign-in service does not do it', async () => {
    const update = 'POST /identitytoolkit.googleapis.com/v1/projects/demo-passerelle/accounts:update'
    world.sandbox.faults.add({ on: update, times: 2, what: { kind: 'status', status: 503 } })
    expect(await signOutEverywhere()).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    await expect(auth.currentUser?.getIdToken(true)).resolves.toBeTruthy()
    world.sandbox.faults.reset()
  })

  test('takes no words, and no stranger', async () => {
    expect((await world.call('sign-out-everywhere', { uid: 'eve' }, token)).status).toBe(400)
    expect((await world.call('sign-out-everywhere', {})).status).toBe(401)
  })
})

describe('deleting an account', () => {
  test('takes profile, contacts, identity files and the way in of somebody who never paid', async () => {
    await livedIn(120)
    expect(await remove()).toEqual(GONE)
    await expectNothingPersonal()
    await expect(signInWithEmailAndPassword(auth, EMAIL, PASSWORD)).rejects.toMatchObject({
      code: 'auth/user-not-found',
    })
  })

  test('of somebody who paid keeps transfers, and the identity documents for five years, sealed', async () => {
    await livedIn()
    const { id } = await payOnce()
    await world.pay(id)
    await world.call('record-transfer', { paymentIntentId: id }, token)
    const mine = `identity/${uid}/passport`
    const document = () => world.sandbox.storage.objects().find(({ name }) => name === mine)
    const tokens = document()?.downloadTokens ?? []
    expect(tokens).toHaveLength(1)
    const address = `${world.origin}/v0/b/demo-passerelle.firebasestorage.app/o/${encodeURIComponent(mine)}?alt=media&token=${tokens[0]}`
    expect((await fetch(address)).status).toBe(200)

    expect(await remove()).toEqual(GONE)
    const expectKept = async () => {
      expect(await idsIn('users')).toEqual(['eve'])
      expect(await idsIn('contacts')).toEqual(['eve'])
      expect(await idsIn('submissions')).toEqual([])
      expect(accountNames()).toEqual([])
      expect(await idsIn('files')).toEqual(['ada', 'eve'])
      expect(document()).toBeDefined()
      expect((await fetch(address)).status).toBe(403)
      expect(await idsIn('transactions')).toEqual([id])
      expect((await world.records()).ledgers.size).toBe(1)
    }
    await expectKept()
    const sweepNow = async () => (await world.call('sweep', {})).body
    world.pass(70 * MINUTE)
    expect(await sweepNow()).toMatchObject({ documentsKept: 1 })
    await expectKept()
    world.setTime(Date.UTC(2031, 10, 20, 12) - 1)
    expect(await sweepNow()).not.toHaveProperty('deleted')
    await expectKept()
    world.pass(1)
    expect(await sweepNow()).toMatchObject({ deleted: 1 })
    await expectNothingPersonal()
    expect([await idsIn('deletions'), await idsIn('transactions')]).toEqual([[], [id]])
  })

  test('gives nobody a new cap: who signs up again with the same address goes on where they were', async () => {
    const half = { amount: 50_000, expected: { fee: 1500, converted: 5_141_000 } }
    for (let times = 0; times < 2; times += 1) {
      const { body } = await world.call('create-payment-intent', requestOf(uid, half), token)
      await world.pay(String(body.paymentIntentId))
      await world.call('record-transfer', { paymentIntentId: body.paymentIntentId }, token)
    }
    expect(await remove()).toEqual(GONE)
    const again = await signUp(EMAIL)
    expect(again.uid).not.toBe(uid)
    const answer = await world.call('create-payment-intent', requestOf(again.uid), again.token)
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'monthlyCapExceeded', details: { leftCents: 0 } },
    })
  })

  test('can be asked for again, as when its answer was lost', async () => {
    await livedIn()
    const [first, second] = await Promise.all([remove(), remove()])
    expect([first, second]).toEqual([GONE, GONE])
    world.pass(10 * MINUTE)
    expect(await remove()).toEqual(GONE)
    await expectNothingPersonal()
  })

  test('wants somebody who signed in just now, and was not signed out since', async () => {
    await livedIn()
    world.pass(5 * MINUTE + 1000)
    expect(await remove()).toMatchObject({ status: 403, body: { code: 'recentSignInRequired' } })
    const { user } = await signInWithEmailAndPassword(auth, EMAIL, PASSWORD)
    const fresh = await user.getIdToken()
    world.pass(2000)
    await signOutEverywhere(fresh)
    expect(await remove(fresh)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(await idsIn('users')).toEqual([uid, 'eve'].sort())
    expect(await idsIn('deletions')).toEqual([])
  })

  test('waits for a payment that is open, and for money that is owed', async () => {
    await livedIn()
    const { id } = await payOnce()
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'paymentOpen' } })
    await world.pay(id)
    await world.call('record-transfer', { paymentIntentId: id }, token)
    const debt = world.context.db.doc('refunds/pi_owed')
    await debt.set({ uid, reason: 'attemptEnded', status: 'due', refundId: null, createdAt: world.now() })
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'paymentOpen' } })
    await debt.update({ status: 'done' })
    expect(await remove()).toEqual(GONE)
  })

  test('meets a payment that begins at the same time: one of the two wins, and no money is lost', async () => {
    const request = requestOf(uid)
    const [payment, deletion] = await Promise.all([
      world.call('create-payment-intent', request, token),
      remove(),
    ])
    expect([payment.status === 200, deletion.status === 200].filter(Boolean)).toHaveLength(1)
    await world.call('cancel-payment-intent', { attemptId: request.attemptId }, token)
  })

  test.each([
    ['active', 409, null],
    ['canceled', 200, 20 * 24 * HOUR],
  ] as const)('with a plan that is %s answers %i', async (status, expected, until) => {
    const cancelAt = until === null ? null : new Date(world.now() + until)
    const subscription = {
      tier: 'basic',
      status,
      transactionsLeft: 2,
      stripeSubscriptionId: 'sub_1',
      cancelAt,
    }
    await world.context.db.doc(`users/${uid}`).update({ subscription })
    const answer = await remove()
    expect(answer.status).toBe(expected)
    if (expected === 409) expect(answer.body.code).toBe('planRunning')
  })

  const open = async () => {
    const answer = await world.call('create-subscription', { tier: 'basic', userId: uid }, token)
    return { ...answer, url: String(answer.body.url) }
  }
  const plans = () => world.sandbox.stripe.subscriptions()

  test('ends the checkout of a plan that is open in another tab: it can not be paid any more', async () => {
    const { url } = await open()
    expect(await remove()).toEqual(GONE)
    await world.payCheckout(url)
    expect([plans(), world.sandbox.stripe.charges()]).toEqual([[], []])
    expect((await open()).body.code).toBe('userNotFound')
  })

  test('is refused for a plan that was paid just now, before any news of it came', async () => {
    const { url } = await open()
    await world.payCheckout(url)
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'planRunning' } })
    const profile = (await world.context.db.doc(`users/${uid}`).get()).data()
    expect(profile?.subscription).toMatchObject({ status: 'active', stripeSubscriptionId: plans()[0]?.id })
  })

  test('takes a plan along that ends anyway, and pays nothing back', async () => {
    const { url } = await open()
    await world.payCheckout(url)
    const [{ id: subscriptionId } = { id: '' }] = plans()
    await world.call('cancel-subscription', { subscriptionId }, token)
    expect(await remove()).toEqual(GONE)
    world.pass(25 * HOUR)
    expect((await world.call('sweep', {})).body).toMatchObject({ planEnded: 1 })
    expect(plans()).toMatchObject([{ status: 'canceled' }])
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })

  test('and a checkout that begins at the same time: one of the two wins, and nobody pays for nothing', async () => {
    for (let request = 1; request <= 8; request += 1) {
      world.reset()
      ;({ uid, token } = await signUp(EMAIL))
      await open()
      let url = ''
      await world.interrupted(request, remove, async () => {
        url = (await open()).url
      })
      const isGone = !(await idsIn('users')).includes(uid)
      await world.payCheckout(url).catch(() => null)
      if (isGone) expect(plans(), `with the request ${request}`).toEqual([])
    }
  })

  test('is gone on with until nobody has a token any more', async () => {
    await livedIn()
    await remove()
    await world.context.db.doc('contacts/late').set(own(uid))
    world.pass(50 * MINUTE)
    expect((await world.call('sweep', {})).body).toEqual({ deleting: 1 })
    await expectNothingPersonal()
    await world.context.db.doc('contacts/latest').set(own(uid))
    world.pass(20 * MINUTE)
    expect((await world.call('sweep', {})).body).toEqual({ deleted: 1 })
    await expectNothingPersonal()
    expect(await idsIn('deletions')).toEqual([])
    expect((await world.call('sweep', {})).body).toEqual({})
  })

  test('can be decided by an administrator, as docs/running.md says', async () => {
    await livedIn()
    const { db } = world.context
    await db.doc(`users/${uid}`).delete()
    await db.doc(`deletions/${uid}`).set({ uid, status: 'due', createdAt: world.now() })
    expect((await world.call('sweep', {})).body).toEqual({ deleting: 1 })
    await expectNothingPersonal()
    world.pass(70 * MINUTE)
    expect((await world.call('sweep', {})).body).toEqual({ deleted: 1 })
    expect(await idsIn('deletions')).toEqual([])
  })

  /** The process ends at the `at`th step that it awaits, before the step or after it with the answer lost. */
  function dieAt(at: number, when: 'before' | 'after') {
    let steps = 0
    const mortal = (target: object, name: string) => {
      const work = Reflect.get(target, name)
      vi.spyOn(target as Record<string, () => unknown>, name).mockImplementation(async function (
        this: unknown,
        ...args: unknown[]
      ) {
        steps += 1
        if (steps > at || (steps === at && when === 'before')) throw new Error('dead')
        const result = await Reflect.apply(work, this, args)
        if (steps >= at) throw new Error('dead')
        return result
      })
    }
    mortal(Firestore.prototype, 'runTransaction')
    mortal(DocumentReference.prototype, 'get')
    mortal(Query.prototype, 'get')
    mortal(WriteBatch.prototype, 'commit')
    mortal(world.context.accounts, 'find')
    mortal(world.context.accounts, 'remove')
    mortal(world.context.identityDocuments, 'removeAll')
    mortal(world.context.identityDocuments, 'sealAll')
  }

  test.each(['before', 'after'] as const)('survives a process that dies %s any step', async (when) => {
    let last = 0
    for (let at = 1; last === 0; at += 1) {
      for (const next of ['sweep', 'again'] as const) {
        world.reset()
        ;({ uid, token } = await signUp(EMAIL))
        await livedIn()
        dieAt(at, when)
        const { status } = await remove()
        vi.restoreAllMocks()
        if (status === 200) last = at
        const isDecided = (await idsIn('deletions')).length > 0
        if (next === 'again') expect(await remove()).toEqual(GONE)
        else await world.call('sweep', {})
        if (isDecided || next === 'again') await expectNothingPersonal()
        else expect([(await idsIn('contacts')).length, accountNames()]).toEqual([4, [EMAIL]])
      }
    }
    expect(last).toBeGreaterThan(8)
  })
})
