import { createUserWithEmailAndPassword } from 'firebase/auth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CONFIRMED_RESPONSE, createDevices, OWN_PASSWORD } from '../../testing/devices.ts'
import { buildTransferRequest, createWorld, type World } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { liftPause, OPERATOR_PAUSE_CAUSE, pausePayments } from '../events/pauses.ts'

// One mailbox is one person for counts and pauses, but has separate accounts for signing in.

let world: World
const { device, makeProfile, confirm, signsIn, verify, forget } = createDevices(() => world)
beforeAll(async () => {
  world = await createWorld({ sockets: true })
})
beforeEach(() => world.reset())
afterEach(forget)
afterAll(() => world.close())

async function signUp(address: string) {
  const own = device()
  const { user } = await createUserWithEmailAndPassword(own.auth, address, OWN_PASSWORD)
  await makeProfile(own, user)
  await verify(user)
  return { uid: user.uid, email: address }
}

const MULE = 'mule@gmail.com'
const SAME_MAILBOX = ['m.u.l.e@gmail.com', 'mule+1@gmail.com', 'mule@googlemail.com'] as const
const OTHER_MAILBOXES = ['mules@gmail.com', 'mule@example.com', 'mule@gmail.example'] as const

const pay = async (caller: { uid: string; email: string }, amount = {}) => {
  const answer = await createPaymentIntent(world.context, caller, buildTransferRequest(caller.uid, amount))
  return answer.ok ? 'begun' : answer.error.code
}
const LARGEST_TRANSFER = { amount: 50_000, expected: { fee: 1_500, converted: 5_141_000 } }

describe('addresses of one mailbox', () => {
  test.each(SAME_MAILBOX)('a pause of mule@gmail.com and its end apply to %s too', async (address) => {
    const [mule, other] = [await signUp(MULE), await signUp(address)]
    await pausePayments(world.context, mule.uid, OPERATOR_PAUSE_CAUSE)
    expect(await pay(other)).toBe('paymentsPaused')
    await liftPause(world.context, mule.uid)
    expect(await pay(other)).toBe('begun')
  })

  test.each(SAME_MAILBOX)('mule@gmail.com shares the monthly cap with %s', async (address) => {
    const [mule, other] = [await signUp(MULE), await signUp(address)]
    expect([await pay(mule, LARGEST_TRANSFER), await pay(mule, LARGEST_TRANSFER)]).toEqual(['begun', 'begun'])
    expect(await pay(other)).toBe('monthlyCapExceeded')
  })

  test.each(OTHER_MAILBOXES)('mule@gmail.com shares neither cap nor pause with %s', async (address) => {
    const [mule, other] = [await signUp(MULE), await signUp(address)]
    expect([await pay(mule, LARGEST_TRANSFER), await pay(mule, LARGEST_TRANSFER)]).toEqual(['begun', 'begun'])
    await pausePayments(world.context, mule.uid, OPERATOR_PAUSE_CAUSE)
    expect(await pay(other)).toBe('begun')
  })

  test.each(SAME_MAILBOX)('mule@gmail.com and %s sign in to separate accounts', async (address) => {
    const mule = await signUp(MULE)
    await expect(signsIn(address)).rejects.toThrow('auth/user-not-found')
    const other = await signUp(address)
    expect(other.uid).not.toBe(mule.uid)
    for (const [email, uid] of [
      [MULE, mule.uid],
      [address, other.uid],
    ] as const) {
      const { user } = await signsIn(email)
      expect([user.uid, user.email]).toEqual([uid, email])
      expect(await confirm(user)).toEqual(CONFIRMED_RESPONSE)
    }
  })
})
