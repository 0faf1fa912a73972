import { expect, test } from 'vitest'
import { MINUTE } from '../../../domain/common/duration.ts'
import { enableSimulatedProvider } from '../../testing/deliveries.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'

resetWorldForEachTest()

interface PromiseOptions {
  readonly wallet?: 'mtn_money' | 'orange_money'
  readonly shown?: number
}

async function startPayment({ wallet = 'mtn_money', shown }: PromiseOptions = {}) {
  const uid = await world.person()
  const own = buildTransferRequest(uid)
  const minutes = shown === undefined ? {} : { minutes: shown }
  const request = { ...own, receivingMethod: wallet, expected: { ...own.expected, ...minutes } }
  const answer = await createPaymentIntent(world.context, { uid }, request)
  if (!answer.ok) throw new Error(answer.error.code)
  return { uid, id: answer.value.paymentIntentId, attemptId: request.attemptId }
}

async function readArrival(id: string) {
  const stored = await world.context.db.doc(`transactions/${id}`).get()
  const [settledAt, expectedBy] = [
    stored.get('settledAt').toMillis(),
    stored.get('estimatedArrival').toMillis(),
  ]
  return { promised: stored.get('promisedMinutes'), within: (expectedBy - settledAt) / MINUTE }
}

async function recordTransfer(asked: PromiseOptions) {
  enableSimulatedProvider()
  const { uid, id, attemptId } = await startPayment(asked)
  await world.pay(id)
  expect(await recordPayment(uid, attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  return readArrival(id)
}

test.each<[string, PromiseOptions, number | null]>([
  ['the minutes promised for MTN', { shown: 15 }, 15],
  ['the minutes promised for payouts by hand', { wallet: 'orange_money', shown: 1440 }, 1440],
  ['an estimate of one hour if the screen promised nothing', {}, null],
])('a recorded transfer stores %s', async (_, asked, promised) => {
  expect(await recordTransfer(asked)).toEqual({ promised, within: promised ?? 60 })
})

test.each([0, -5, 1.5, '15', 100_000])(
  'refuses a transfer with an impossible promise of %j minutes',
  async (minutes) => {
    const uid = await world.person()
    const own = buildTransferRequest(uid)
    const token = await world.token(uid)
    const request = { ...own, expected: { ...own.expected, minutes } }
    expect(await world.call('create-payment-intent', request, token)).toMatchObject({
      status: 400,
      body: { code: 'invalidRequest' },
    })
  },
)
