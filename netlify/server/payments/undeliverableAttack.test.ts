import { expect, test } from 'vitest'
import { MINUTE } from '../../../domain/common/duration.ts'
import { enableSimulatedProvider } from '../../testing/deliveries.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { advanceDelivery } from '../payouts/deliver.ts'
import { INCIDENT_LIMITS } from './incidents.ts'

resetWorldForEachTest({ isMoneyChecked: true })

/** Models a real attack: 120 charges of 499 EUR each, all refunded within 34 minutes. */
const CHARGES = 120
const DURATION = 34 * MINUTE
/** Milliseconds until the provider reports that the wallet does not exist. */
const CALLBACK_AFTER = 2_000
const AMOUNT = { amount: 49_900, expected: { fee: 1_497, converted: 5_130_718 } }

const CARDS = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex', 'pm_card_fr']
const NUMBER = '+224620999999'

const pickCard = (n: number) => CARDS[n % CARDS.length]
const createPersons = (count: number) => Promise.all(Array.from({ length: count }, () => world.person()))

interface Attempt {
  readonly uid: string
  readonly card: string | undefined
  readonly recipientPhone?: string
}

async function attack(chooseAttempt: (n: number) => Attempt) {
  enableSimulatedProvider()
  world.payouts.will('recipientUnknown')
  const refusals = new Map<string, number>()
  for (let n = 0; n < CHARGES; n += 1) {
    const { uid, card, recipientPhone } = chooseAttempt(n)
    const request = buildTransferRequest(uid, { ...AMOUNT, ...(recipientPhone && { recipientPhone }) })
    const started = await createPaymentIntent(world.context, { uid }, request)
    if (started.ok) {
      await world.pay(started.value.paymentIntentId, card)
      await recordPayment(uid, request.attemptId)
      world.pass(CALLBACK_AFTER)
      await advanceDelivery(world.context, started.value.paymentIntentId, { isHint: true })
      await runDueWork(world.context)
    } else refusals.set(started.error.code, (refusals.get(started.error.code) ?? 0) + 1)
    world.pass(DURATION / CHARGES - CALLBACK_AFTER)
  }
  const charges = world.sandbox.stripe.charges().filter(({ paid }) => paid)
  const refunds = world.sandbox.stripe.refunds().filter(({ status }) => status === 'succeeded')
  expect([...refusals.values()].reduce((sum, count) => sum + count, 0)).toBe(CHARGES - charges.length)
  return { charges: charges.length, refunds: refunds.length, refusals: [...refusals.keys()] }
}

const REFUSED_AT_ONCE = {
  charges: INCIDENT_LIMITS.undeliverable.most,
  refunds: INCIDENT_LIMITS.undeliverable.most,
  refusals: ['tooManyUndelivered'],
}

test('one user’s changing numbers and cards get 3 of 120 charged @spec-undeliverable', async () => {
  const uid = await world.person()
  expect(await attack((n) => ({ uid, card: pickCard(n) }))).toEqual(REFUSED_AT_ONCE)
})

test('only 3 of 120 transfers to one number are charged @spec-undeliverable', async () => {
  const persons = await createPersons(10)
  const createAttempt = (n: number) => ({
    uid: persons[n % persons.length] ?? '',
    card: pickCard(n),
    recipientPhone: NUMBER,
  })
  expect(await attack(createAttempt)).toEqual(REFUSED_AT_ONCE)
})

/** Stripe identifies a card only after its charge. Transfers above a day's limit wait for an operator. */
test('ten accounts with one card get 3 refunds for 120 attempts @spec-undeliverable', async () => {
  const persons = await createPersons(10)
  const card = 'pm_card_visa'
  const { charges, refunds } = await attack((n) => ({ uid: persons[n % persons.length] ?? '', card }))
  expect(refunds).toBe(INCIDENT_LIMITS.undeliverable.most)
  const { deliveries } = await world.records()
  const held = [...deliveries.values()].filter(({ holds }) => holds.includes('velocityOfCard'))
  expect(held).toHaveLength(charges - refunds)
  expect(charges).toBeLessThanOrEqual(2 * persons.length + 1)
})
