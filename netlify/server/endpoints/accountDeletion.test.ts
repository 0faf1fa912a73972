import { signInWithEmailAndPassword } from 'firebase/auth'
import { DocumentReference, Firestore, Query, WriteBatch } from 'firebase-admin/firestore'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cleanCode } from '../../../domain/common/clean.ts'
import { HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { maskPhone } from '../../../domain/numbers/phone.ts'
import { crashMethods } from '../../testing/crashMethods.ts'
import { createWorldWithSignUps, PASSWORD } from '../../testing/signUps.ts'
import { buildTransferRequest } from '../../testing/world.ts'

const EMAIL = 'ada@example.com'

const { world, auth, signUp, close } = await createWorldWithSignUps()
let uid: string
let token: string

beforeEach(async () => {
  world.reset()
  ;({ uid, token } = await signUp(EMAIL))
})
afterEach(() => world.checkInvariants())
afterAll(close)

const accountNames = () => world.sandbox.auth.dump().accounts.map(({ email }) => email)
const remove = (as = token) => world.call('delete-account', {}, as)
const signOutEverywhere = (as = token) => world.call('sign-out-everywhere', {}, as)
const GONE = { status: 200, body: { outcome: 'deleted' } }

async function listIds(collection: string): Promise<string[]> {
  return (await world.context.db.collection(collection).get()).docs.map(({ id }) => id).sort()
}

const buildContact = (userId: string) => ({ userId, name: 'Mariama', phone: '+224620000000' })

const documentNames = () => world.sandbox.storage.objects().map(({ name }) => name)

async function uploadDocument(userId: string) {
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

async function createUserData(contacts = 3) {
  const { db } = world.context
  for (let index = 0; index < contacts; index += 1)
    await db.doc(`contacts/ada-${index}`).set(buildContact(uid))
  await db.doc('contacts/eve').set(buildContact('eve'))
  await uploadDocument(uid)
  await uploadDocument('eve')
  await db.doc(`submissions/${uid}`).set({ name: 'x', count: 1 })
  await db.doc('files/ada').set({ userId: uid, status: 'approved' })
  await db.doc('files/eve').set({ userId: 'eve', status: 'pending' })
  for (const id of [uid, 'eve']) await db.doc(`pushSubscriptions/${id}`).set({ uid: id })
  await db.doc('users/eve').set({ name: 'Eve', subscription: {} })
}

async function expectOnlyOtherUserData() {
  expect(await listIds('users')).toEqual(['eve'])
  expect(await listIds('contacts')).toEqual(['eve'])
  expect(await listIds('files')).toEqual(['eve'])
  expect(await listIds('submissions')).toEqual([])
  expect(await listIds('pushSubscriptions')).toEqual(['eve'])
  expect(documentNames()).toEqual(['identity/eve/passport'])
  expect(accountNames()).toEqual([])
}

const readDeletion = async () => (await world.context.db.doc(`deletions/${uid}`).get()).data()

async function payOnce() {
  const request = buildTransferRequest(uid)
  const { body } = await world.call('create-payment-intent', request, token)
  return { id: String(body.paymentIntentId), phone: cleanCode(request.recipientPhone) }
}

describe('signing out everywhere', () => {
  test('signing out everywhere ends existing sessions, not later ones', async () => {
    world.pass(2000)
    expect(await signOutEverywhere()).toEqual({ status: 200, body: {} })
    await expect(auth.currentUser?.getIdToken(true)).rejects.toMatchObject({
      code: 'auth/user-token-expired',
    })
    const { user } = await signInWithEmailAndPassword(auth, EMAIL, PASSWORD)
    await expect(user.getIdToken(true)).resolves.toBeTruthy()
  })

  test('a second sign-out everywhere with the old token is refused', async () => {
    world.pass(2000)
    await signOutEverywhere()
    const { user } = await signInWithEmailAndPassword(auth, EMAIL, PASSWORD)
    world.pass(MINUTE)
    expect((await signOutEverywhere()).status).toBe(403)
    await expect(user.getIdToken(true)).resolves.toBeTruthy()
  })

  test('signing out everywhere immediately revokes existing tokens', async () => {
    const begun = buildTransferRequest(uid)
    const path = `/v1/projects/demo-passerelle/databases/(default)/documents/users/${uid}`
    const read = async (as: string) =>
      (await fetch(`${world.origin}${path}`, { headers: { authorization: `Bearer ${as}` } })).status
    expect((await world.call('create-payment-intent', begun, token)).status).toBe(200)
    expect(await read(token)).toBe(200)
    world.pass(2000)
    await signOutEverywhere()
    expect(await read(token)).toBe(403)
    for (const [name, body] of [
      ['create-payment-intent', begun],
      ['create-payment-intent', buildTransferRequest(uid)],
      ['record-transfer', { attemptId: begun.attemptId }],
    ] as const)
      expect((await world.call(name, body, token)).status).toBe(403)
    const { user } = await signInWithEmailAndPassword(auth, EMAIL, PASSWORD)
    const newer = await user.getIdToken()
    expect(await read(newer)).toBe(200)
    expect((await world.call('record-transfer', { attemptId: begun.attemptId }, newer)).status).toBe(200)
  })

  test('signing out everywhere reports a failure of the sign-in service', async () => {
    const update = 'POST /identitytoolkit.googleapis.com/v1/projects/demo-passerelle/accounts:update'
    world.sandbox.faults.add({ on: update, times: 2, what: { kind: 'status', status: 503 } })
    expect(await signOutEverywhere()).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    await expect(auth.currentUser?.getIdToken(true)).resolves.toBeTruthy()
    world.sandbox.faults.reset()
  })

  test('signing out everywhere refuses parameters, and callers without a token', async () => {
    expect((await world.call('sign-out-everywhere', { uid: 'eve' }, token)).status).toBe(400)
    expect((await world.call('sign-out-everywhere', {})).status).toBe(401)
  })
})

describe('deleting an account', () => {
  test('deleting a never-paying account removes an attempt’s names', async () => {
    const { id, phone } = await payOnce()
    const [attempt] = (await world.context.db.collection('attempts').get()).docs
    await world.call('cancel-payment-intent', { attemptId: attempt?.get('attemptId') }, token)
    expect(await remove()).toEqual(GONE)
    const stored = (await attempt?.ref.get())?.data()
    const recipient = { recipientName: null, phone: maskPhone(phone) }
    expect(stored).toMatchObject({ paymentIntentId: id, payerName: null, transfer: recipient })
    expect((await readDeletion())?.payer).toBeUndefined()
  })

  test('deleting a never-paying account removes all of the user’s data', async () => {
    await createUserData(120)
    expect(await remove()).toEqual(GONE)
    await expectOnlyOtherUserData()
    await expect(signInWithEmailAndPassword(auth, EMAIL, PASSWORD)).rejects.toMatchObject({
      code: 'auth/user-not-found',
    })
  })

  test('deleting a paying account keeps transfers, and documents for five years', async () => {
    await createUserData()
    await world.context.db.doc('files/waiting').set({ userId: uid, status: 'pending' })
    world.payOutBy(world.payouts.provider)
    const { id, phone } = await payOnce()
    await world.pay(id)
    await world.call('record-transfer', { paymentIntentId: id }, token)
    const documentName = `identity/${uid}/passport`
    const document = () => world.sandbox.storage.objects().find(({ name }) => name === documentName)
    const tokens = document()?.downloadTokens ?? []
    expect(tokens).toHaveLength(1)
    const address = `${world.origin}/v0/b/demo-passerelle.firebasestorage.app/o/${encodeURIComponent(documentName)}?alt=media&token=${tokens[0]}`
    expect((await fetch(address)).status).toBe(200)

    const hit = { who: 'sender', entry: 'NK-1', name: 'ADA LOVELACE', birthDates: [] }
    const order = world.context.db.doc(`deliveries/${id}`)
    await order.update({ screening: { answerBy: world.now(), hits: [hit] } })

    const payments = world.context.db.collection('invoicePayments')
    for (let n = 0; n < 401; n += 1)
      await payments.doc(`pi_i${n}`).set({ payerId: uid, payerName: 'Ada Lovelace' })
    const names = async () => {
      const [transfer, order, attempt] = await Promise.all([
        world.context.db.doc(`transactions/${id}`).get(),
        world.context.db.doc(`deliveries/${id}`).get(),
        world.context.db.collection('attempts').get(),
      ])
      const inAttempts = attempt.docs.flatMap((one) => [
        one.get('payerName'),
        one.get('transfer.recipientName'),
      ])
      const inInvoices = (await payments.get()).docs.map((one) => one.get('payerName'))
      return new Set([
        ...[transfer, order].flatMap((one) => [one.get('senderName'), one.get('recipientName')]),
        ...inAttempts,
        ...inInvoices,
      ])
    }

    const numbers = async () => {
      const [transfer, order, attempt] = await Promise.all([
        world.context.db.doc(`transactions/${id}`).get(),
        world.context.db.doc(`deliveries/${id}`).get(),
        world.context.db.collection('attempts').get(),
      ])
      const inAttempts = attempt.docs.map((one) => one.get('transfer.phone'))
      return new Set([transfer.get('recipientPhone'), order.get('phone'), ...inAttempts])
    }

    expect(await remove()).toEqual(GONE)
    const expectKept = async () => {
      expect((await readDeletion())?.payer).toEqual({ name: 'Ada Lovelace', address: EMAIL, phone: null })
      expect(await numbers()).toEqual(new Set([phone]))
      expect(await names()).toEqual(new Set(['Ada Lovelace', 'Mariama Bah']))
      expect(await listIds('users')).toEqual(['eve'])
      expect(await listIds('contacts')).toEqual(['eve'])
      expect(await listIds('submissions')).toEqual([])
      expect(accountNames()).toEqual([])
      expect(await listIds('files')).toEqual(['ada', 'eve', 'waiting'])
      expect((await world.context.db.doc('files/waiting').get()).get('status')).toBe('kept')
      expect(document()).toBeDefined()
      expect((await fetch(address)).status).toBe(403)
      expect(await listIds('transactions')).toEqual([id])
      expect((await world.records()).ledgers.size).toBe(1)
    }
    await expectKept()
    const runNow = async () => (await world.call('due-work', {})).body
    world.pass(70 * MINUTE)
    expect(await runNow()).toMatchObject({ documentsKept: 1 })
    await expectKept()
    world.setTime(Date.UTC(2031, 10, 20, 12) - 1)
    expect(await runNow()).not.toHaveProperty('deleted')
    await expectKept()
    world.pass(1)
    expect(await runNow()).toMatchObject({ deleted: 1 })
    await expectOnlyOtherUserData()
    expect([await listIds('deletions'), await listIds('transactions')]).toEqual([[], [id]])
    expect(await names()).toEqual(new Set([null]))
    expect(await numbers()).toEqual(new Set([maskPhone(phone)]))
    expect((await order.get()).get('screening')).toBeNull()
    // The invariants don't know these payments.
    for (const { ref } of (await payments.get()).docs) await ref.delete()
  })

  test('a paying user without a document keeps a name five years', async () => {
    world.payOutBy(world.payouts.provider)
    const { id, phone } = await payOnce()
    await world.pay(id)
    await world.call('record-transfer', { paymentIntentId: id }, token)
    expect(await remove()).toEqual(GONE)
    world.pass(70 * MINUTE)
    expect((await world.call('due-work', {})).body).toMatchObject({ documentsKept: 1 })
    expect(await readDeletion()).toMatchObject({
      status: 'kept',
      payer: { name: 'Ada Lovelace', address: EMAIL, phone: null },
    })
    world.setTime(Date.UTC(2031, 10, 20, 12))
    await world.call('due-work', {})
    expect(await readDeletion()).toBeUndefined()
    const stored = JSON.stringify(world.sandbox.dump().firestore)
    expect(['Lovelace', 'Mariama', EMAIL, phone].filter((text) => stored.includes(text))).toEqual([])
  })

  test('signing up again after a deletion keeps the used cap', async () => {
    const half = { amount: 50_000, expected: { fee: 1500, converted: 5_141_000 } }
    for (let times = 0; times < 2; times += 1) {
      const { body } = await world.call('create-payment-intent', buildTransferRequest(uid, half), token)
      await world.pay(String(body.paymentIntentId))
      await world.call('record-transfer', { paymentIntentId: body.paymentIntentId }, token)
    }
    expect(await remove()).toEqual(GONE)
    const again = await signUp(EMAIL)
    expect(again.uid).not.toBe(uid)
    const answer = await world.call('create-payment-intent', buildTransferRequest(again.uid), again.token)
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'monthlyCapExceeded', details: { leftCents: 0 } },
    })
  })

  test('deletion clears the Stripe customer’s name and address only', async () => {
    const { id } = await payOnce()
    await world.pay(id)
    await world.call('record-transfer', { paymentIntentId: id }, token)
    const [customer] = world.sandbox.stripe.customers()
    await world.context.stripe.customers.update(customer?.id ?? '', { email: EMAIL, name: 'Ada Lovelace' })
    expect(await remove()).toEqual(GONE)
    expect(world.sandbox.stripe.customers()).toMatchObject([{ id: customer?.id, email: null, name: null }])
  })

  test('deleting an account twice, concurrently or later, succeeds each time', async () => {
    await createUserData()
    const [first, second] = await Promise.all([remove(), remove()])
    expect([first, second]).toEqual([GONE, GONE])
    world.pass(10 * MINUTE)
    expect(await remove()).toEqual(GONE)
    await expectOnlyOtherUserData()
  })

  test('deleting an account requires a recent sign-in of a live session', async () => {
    await createUserData()
    world.pass(5 * MINUTE + 1000)
    expect(await remove()).toMatchObject({ status: 403, body: { code: 'recentSignInRequired' } })
    const { user } = await signInWithEmailAndPassword(auth, EMAIL, PASSWORD)
    const fresh = await user.getIdToken()
    world.pass(2000)
    await signOutEverywhere(fresh)
    expect(await remove(fresh)).toMatchObject({ status: 403, body: { code: 'emailUnverified' } })
    expect(await listIds('users')).toEqual([uid, 'eve'].sort())
    expect(await listIds('deletions')).toEqual([])
  })

  test('an open payment or owed refund refuses the deletion', async () => {
    await createUserData()
    const { id } = await payOnce()
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'paymentOpen' } })
    await world.pay(id)
    await world.call('record-transfer', { paymentIntentId: id }, token)
    const debt = world.context.db.doc('refunds/pi_owed')
    await debt.set({ uid, reason: 'attemptEnded', status: 'due', refundId: null, createdAt: world.now() })
    for (const status of ['due', 'failing', 'pending', 'unfunded']) {
      await debt.update({ status })
      expect(await remove()).toMatchObject({ status: 409, body: { code: 'paymentOpen' } })
    }
    await debt.update({ status: 'done' })
    expect(await remove()).toEqual(GONE)
  })

  test('lets exactly one of an account deletion and a concurrent payment succeed', async () => {
    const request = buildTransferRequest(uid)
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
  ] as const)('deleting an account whose plan is %s gets status %i', async (status, expected, until) => {
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

  test('deleting an account expires a plan checkout in another tab', async () => {
    const { url } = await open()
    expect(await remove()).toEqual(GONE)
    await world.payCheckout(url)
    expect([plans(), world.sandbox.stripe.charges()]).toEqual([[], []])
    expect((await open()).body.code).toBe('userNotFound')
  })

  test('a paid plan refuses the deletion, even before any webhook', async () => {
    const { url } = await open()
    await world.payCheckout(url)
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'planRunning' } })
    const profile = (await world.context.db.doc(`users/${uid}`).get()).data()
    expect(profile?.subscription).toMatchObject({ status: 'active', stripeSubscriptionId: plans()[0]?.id })
  })

  test('deleting an account ends its canceled plan at Stripe without a refund', async () => {
    const { url } = await open()
    await world.payCheckout(url)
    const [{ id: subscriptionId } = { id: '' }] = plans()
    await world.call('cancel-subscription', { subscriptionId }, token)
    expect(await remove()).toEqual(GONE)
    world.pass(25 * HOUR)
    expect((await world.call('due-work', {})).body).toMatchObject({ planEnded: 1 })
    expect(plans()).toMatchObject([{ status: 'canceled' }])
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })

  test('a concurrent checkout never leaves a deleted account with a plan', async () => {
    for (let request = 1; request <= 8; request += 1) {
      world.reset()
      ;({ uid, token } = await signUp(EMAIL))
      await open()
      let url = ''
      await world.interrupted(request, remove, async () => {
        url = (await open()).url
      })
      const isGone = !(await listIds('users')).includes(uid)
      await world.payCheckout(url).catch(() => null)
      if (isGone) expect(plans(), `with the request ${request}`).toEqual([])
    }
  })

  test('the job deletes late data until every token has expired', async () => {
    await createUserData()
    await remove()
    await world.context.db.doc('contacts/late').set(buildContact(uid))
    world.pass(50 * MINUTE)
    expect((await world.call('due-work', {})).body).toEqual({ deleting: 1 })
    await expectOnlyOtherUserData()
    await world.context.db.doc('contacts/latest').set(buildContact(uid))
    world.pass(20 * MINUTE)
    expect((await world.call('due-work', {})).body).toEqual({ deleted: 1 })
    await expectOnlyOtherUserData()
    expect(await listIds('deletions')).toEqual([])
    expect((await world.call('due-work', {})).body).toEqual({})
  })

  test('the job completes a deletion that an administrator began', async () => {
    await createUserData()
    const { db } = world.context
    await db.doc(`users/${uid}`).delete()
    await db.doc(`deletions/${uid}`).set({ uid, status: 'due', createdAt: world.now() })
    expect((await world.call('due-work', {})).body).toEqual({ deleting: 1 })
    await expectOnlyOtherUserData()
    world.pass(70 * MINUTE)
    expect((await world.call('due-work', {})).body).toEqual({ deleted: 1 })
    expect(await listIds('deletions')).toEqual([])
  })

  test.each(['before', 'after'] as const)(
    'an account deletion can be completed after a crash %s each step',
    async (when) => {
      let last = 0
      for (let at = 1; last === 0; at += 1) {
        for (const next of ['due-work', 'again'] as const) {
          world.reset()
          ;({ uid, token } = await signUp(EMAIL))
          await createUserData()
          crashMethods(
            at,
            when,
            [Firestore.prototype, 'runTransaction'],
            [DocumentReference.prototype, 'get'],
            [Query.prototype, 'get'],
            [WriteBatch.prototype, 'commit'],
            [world.context.accounts, 'find'],
            [world.context.accounts, 'remove'],
            [world.context.identityDocuments, 'removeAll'],
            [world.context.identityDocuments, 'sealAll'],
          )
          const { status } = await remove()
          vi.restoreAllMocks()
          if (status === 200) last = at
          const isDecided = (await listIds('deletions')).length > 0
          if (next === 'again') expect(await remove()).toEqual(GONE)
          else await world.call('due-work', {})
          if (isDecided || next === 'again') await expectOnlyOtherUserData()
          else expect([(await listIds('contacts')).length, accountNames()]).toEqual([4, [EMAIL]])
        }
      }
      expect(last).toBeGreaterThan(8)
    },
  )
})
