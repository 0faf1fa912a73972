import { describe, expect, test } from 'vitest'
import { MINUTE } from '../domain/duration.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import type { Context } from './server/platform/context.ts'
import { mtn } from './testing/deliveries.ts'
import { record, testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { requestOf } from './testing/world.ts'

// What was promised of the arrival belongs to the transfer.
testInEmptyWorld()

const PROMISING = { mtn: 15, byHand: 1440 }

interface Asked {
  readonly wallet?: 'mtn_money' | 'orange_money'
  /** Within how many minutes the app showed it promised. */
  readonly shown?: number
  readonly longest?: Context['longest']
}

async function reserved({ wallet = 'mtn_money', shown, longest = PROMISING }: Asked = {}) {
  const uid = await world.person()
  const own = requestOf(uid)
  const minutes = shown === undefined ? {} : { minutes: shown }
  const request = { ...own, receivingMethod: wallet, expected: { ...own.expected, ...minutes } }
  const reserve = (longest: Context['longest']) =>
    createPaymentIntent({ ...world.context, longest }, { uid }, request)
  const answer = await reserve(longest)
  if (!answer.ok) throw new Error(answer.error.code)
  return { uid, id: answer.value.paymentIntentId, attemptId: request.attemptId, reserve }
}

async function arrival(id: string) {
  const stored = await world.context.db.doc(`transactions/${id}`).get()
  const [settledAt, expectedBy] = [
    stored.get('settledAt').toMillis(),
    stored.get('estimatedArrival').toMillis(),
  ]
  return { promised: stored.get('promisedMinutes'), within: (expectedBy - settledAt) / MINUTE }
}

async function recorded(asked: Asked) {
  mtn()
  const { uid, id, attemptId } = await reserved(asked)
  await world.pay(id)
  expect(await record(uid, attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  return arrival(id)
}

test.each<[string, Asked, number | null]>([
  ['what MTN may take', { shown: 15 }, 15],
  ['what people may take', { wallet: 'orange_money', shown: 1440 }, 1440],
  ['ours, to an app that says nothing of it', {}, 15],
  ['what the person saw, when that is less', { shown: 5 }, 5],
  ['no more than the provider may take', { shown: 2000 }, 15],
  ['nothing, where it is not set', { shown: 15, longest: { mtn: null, byHand: null } }, null],
  ['nothing of who is not named', { wallet: 'orange_money', longest: { mtn: 15, byHand: null } }, null],
])('%s is written into the transfer', async (_, asked, promised) => {
  expect(await recorded(asked)).toEqual({ promised, within: promised ?? 60 })
})

describe('what was promised before it was paid stays promised', () => {
  test('when the setting changes before it is paid', async () => {
    mtn()
    const { uid, id, attemptId, reserve } = await reserved()
    expect(await reserve({ mtn: 60, byHand: 2880 })).toMatchObject({ value: { paymentIntentId: id } })
    await world.pay(id)
    await record(uid, attemptId)
    expect(await arrival(id)).toEqual({ promised: 15, within: 15 })
  })
})

test.each([0, -5, 1.5, '15'])('a promise of %j is none that an app shows', async (minutes) => {
  const uid = await world.person()
  const own = requestOf(uid)
  const token = await world.token(uid)
  const request = { ...own, expected: { ...own.expected, minutes } }
  expect(await world.call('create-payment-intent', request, token)).toMatchObject({
    status: 400,
    body: { code: 'invalidRequest' },
  })
})
