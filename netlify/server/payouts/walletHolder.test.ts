import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR } from '../../../domain/common/duration.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { OPERATOR_PAUSE_CAUSE, pausePayments } from '../events/pauses.ts'
import type { Caller } from '../platform/caller.ts'
import { lookUpWalletHolder } from './walletHolder.ts'

resetWorldForEachTest()
beforeEach(() => world.payOutAsDeployed())

const ACCOUNT = 'GET /disbursement/v1_0/accountholder/msisdn/'
const NO_WALLET = '+224660000450'
const listMtnLookups = () => world.requests.filter((line) => line.startsWith(ACCOUNT))

const ask = (caller: Caller, phone = '+224660000480', receivingMethod = 'mtn_money', as = world.context) =>
  lookUpWalletHolder(as, caller, { phone, receivingMethod })
const createCaller = async () => world.getCaller(await world.person())
const begin = (caller: Caller, recipientPhone: string) => {
  const small = { amount: 1_000, expected: { fee: 30, converted: 102_820 } }
  const to = { recipientPhone, receivingMethod: 'mtn_money' }
  return createPaymentIntent(world.context, caller, buildTransferRequest(caller.uid, { ...small, ...to }))
}
const buildNumber = (index: number) => `+2246611000${String(index).padStart(2, '0')}`

const answerLookup = (body: object, on = `${ACCOUNT}224660000480/basicuserinfo`) =>
  world.sandbox.faults.add({
    on,
    times: 1,
    what: { kind: 'answer', status: 200, body: JSON.stringify(body), done: false },
  })

describe('the holder of a wallet', () => {
  test("returns a wallet holder's first name and initial", async () => {
    const caller = await createCaller()
    answerLookup({ given_name: 'MARIAMA', family_name: 'Bah', birthdate: '1976-08-13', gender: 'FEMALE' })
    expect(await ask(caller)).toEqual({ ok: true, value: { kind: 'named', name: 'Mariama B.' } })
    expect(await ask(caller, '+224 660 00 04 80')).toMatchObject({ value: { kind: 'named' } })
  })

  test('the wallet lookup reports that a number has no wallet', async () => {
    expect(await ask(await createCaller(), NO_WALLET)).toEqual({ ok: true, value: { kind: 'none' } })
  })

  test.each([
    ['that is a number', { given_name: '620 00 00 00', family_name: 'Bah' }],
    ['that is the name of this app', { given_name: 'Passerelle', family_name: 'Bah' }],
    ['that is missing', {}],
  ])("does not return a wallet holder's name %s", async (_, body) => {
    answerLookup(body)
    expect(await ask(await createCaller())).toEqual({ ok: true, value: { kind: 'silent' } })
  })

  test('the wallet lookup returns no name if MTN does not respond', async () => {
    world.sandbox.faults.add({ on: ACCOUNT, times: 2, what: { kind: 'cutBefore' } })
    expect(await ask(await createCaller())).toEqual({ ok: true, value: { kind: 'silent' } })
  })
})

describe('a wallet lookup that does not ask MTN', () => {
  test('a caller without profile, disabled or paused gets no lookup', async () => {
    const [gone, stopped, disabled] = [await createCaller(), await createCaller(), await createCaller()]
    world.sandbox.auth.setDisabled(disabled.uid, true)
    await world.context.db.doc(`users/${gone.uid}`).delete()
    await pausePayments(world.context, stopped.uid, OPERATOR_PAUSE_CAUSE)
    for (const caller of [gone, stopped, disabled])
      expect(await ask(caller)).toEqual({ ok: true, value: { kind: 'silent' } })
    expect(listMtnLookups()).toEqual([])
  })

  test.each<[string, string, string]>([
    ['about a number of an unsupported country', '+1', 'mtn_money'],
    ['about a text that is not a number', 'Mariama', 'mtn_money'],
    ['about an incomplete number', '+22466000', 'mtn_money'],
    ['about a wallet that the number’s country does not have', '+33612345678', 'mtn_money'],
    ['about an unknown wallet', '+224660000480', 'some_money'],
    ['about a wallet that operators pay by hand', '+224620000000', 'orange_money'],
  ])('the wallet lookup does not ask MTN %s', async (_, phone, wallet) => {
    expect(await ask(await createCaller(), phone, wallet)).toEqual({ ok: true, value: { kind: 'silent' } })
    expect(listMtnLookups()).toEqual([])
  })

  test('a lookup needs the operator’s setting and a provider', async () => {
    const caller = await createCaller()
    const off = { ...world.context, namesHolders: false }
    expect(await ask(caller, undefined, undefined, off)).toEqual({ ok: true, value: { kind: 'silent' } })
    world.payOutBy()
    expect(await ask(caller)).toEqual({ ok: true, value: { kind: 'silent' } })
    expect(listMtnLookups()).toEqual([])
    expect(
      Object.keys(world.sandbox.firestore.documents()).filter((path) => path.startsWith('limits/')),
    ).toEqual([])
  })
})

describe('the daily limit of wallet lookups', () => {
  const askTen = async (caller: Caller) => {
    for (let index = 0; index < 10; index += 1)
      expect(await ask(caller, buildNumber(index))).toMatchObject({ value: { kind: 'named' } })
  }

  test('the wallet lookup refuses an eleventh number until the next day', async () => {
    const caller = await createCaller()
    await askTen(caller)
    const before = listMtnLookups().length
    expect(await ask(caller, buildNumber(10))).toEqual({ ok: true, value: { kind: 'silent' } })
    expect(listMtnLookups().length).toBe(before)
    expect(world.logged.at(-1)).toEqual({ level: 'info', event: 'walletHolderRequested', count: 11 })
    expect(await ask(await createCaller(), buildNumber(10))).toMatchObject({ value: { kind: 'named' } })
    world.pass(12 * HOUR - 1)
    expect(await ask(caller, buildNumber(10))).toMatchObject({ value: { kind: 'silent' } })
    world.pass(1)
    expect(await ask(caller, buildNumber(10))).toMatchObject({ value: { kind: 'named' } })
  })

  test('the limit of wallet lookups counts the same number once', async () => {
    const caller = await createCaller()
    for (let times = 0; times < 12; times += 1) await ask(caller, buildNumber(0))
    await askTen(caller)
    expect(await ask(caller, buildNumber(9))).toMatchObject({ value: { kind: 'named' } })
    expect(await ask(caller, buildNumber(10))).toMatchObject({ value: { kind: 'silent' } })
  })

  test('the limit of wallet lookups applies to all accounts of a person', async () => {
    const uid = await world.person()
    await askTen(world.getCaller(uid))
    const again = world.getCaller(await world.person({}, uid))
    expect(await ask(again, buildNumber(10))).toMatchObject({ value: { kind: 'silent' } })
    expect(await ask(again, buildNumber(3))).toMatchObject({ value: { kind: 'named' } })
  })

  test('a payment does not ask about an eleventh number', async () => {
    const caller = await createCaller()
    await askTen(caller)
    const before = listMtnLookups().length
    expect(await begin(caller, NO_WALLET)).toMatchObject({ ok: true })
    expect(listMtnLookups().length).toBe(before)
    expect(await begin(await createCaller(), NO_WALLET)).toMatchObject({ error: { code: 'walletMissing' } })
  })

  test('the limit of wallet lookups counts the numbers of payments', async () => {
    const caller = await createCaller()
    for (let index = 0; index < 10; index += 1)
      expect(await begin(caller, buildNumber(index))).toMatchObject({ ok: true })
    expect(await ask(caller, buildNumber(10))).toEqual({ ok: true, value: { kind: 'silent' } })
    expect(await ask(caller, buildNumber(9))).toMatchObject({ value: { kind: 'named' } })
  })

  test('ten accounts a day can ask about one number', async () => {
    const callers = await Promise.all(Array.from({ length: 11 }, createCaller))
    const kinds = []
    for (const caller of callers) {
      const answer = await ask(caller, NO_WALLET)
      kinds.push(answer.ok && answer.value.kind)
    }
    expect(kinds).toEqual([...Array(10).fill('none'), 'silent'])
  })

  test('a payment begins without the lookup if its count cannot be read', async () => {
    const caller = await createCaller()
    const broken = { ...world.context, pseudonym: () => '' }
    const lacksWallet = world.context.payouts?.lacksWallet(broken, caller, 'mtn_money', NO_WALLET)
    expect(await lacksWallet).toBe(false)
    expect(listMtnLookups()).toEqual([])
  })

  test('the wallet lookup returns ten names for 14 concurrent calls', async () => {
    const caller = await createCaller()
    const all = await Promise.all(Array.from({ length: 14 }, (_, index) => ask(caller, buildNumber(index))))
    const named = all.filter((answer) => answer.ok && answer.value.kind === 'named')
    expect(named).toHaveLength(10)
  })

  test('an unreadable count prevents a lookup', async () => {
    const caller = await createCaller()
    const on = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents'
    world.sandbox.faults.add({ on, times: 50, what: { kind: 'status', status: 403 } })
    await expect(ask(caller)).rejects.toThrow()
    expect(listMtnLookups()).toEqual([])
  })
})

test('the lookup stores and logs only hashes and a count', async () => {
  const caller = await createCaller()
  const before = JSON.stringify(world.sandbox.firestore.documents())
  for (const phone of ['+224660000480', NO_WALLET]) await ask(caller, phone)
  const response = (await ask(caller)) as { value: { name: string } }
  const [name = ''] = response.value.name.split(' ')
  const documents = Object.entries(world.sandbox.firestore.documents())
  const kept = JSON.stringify(documents)
  for (const secret of ['660000480', '660000450', name]) {
    expect(kept).not.toContain(secret)
    expect(JSON.stringify(world.logged)).not.toContain(secret)
  }
  const counted = documents.filter(([path]) => !before.includes(path))
  expect(counted).toHaveLength(4)
  const marks = new Set(
    counted.flatMap(([, document]) => JSON.stringify(document).match(/[0-9a-f]{64}/g) ?? []),
  )
  // The hashes differ for each key, so two documents of a person can't be matched.
  expect(marks.size).toBe(6)
  expect(world.logged.filter(({ event }) => event === 'walletHolderRequested')).toEqual(
    [1, 2, 2].map((count) => ({ level: 'info', event: 'walletHolderRequested', count })),
  )

  world.pass(48 * HOUR)
  await runDueWork(world.context)
  const left = world.sandbox.firestore.documents()
  for (const [path] of counted) expect(left).not.toHaveProperty([path])
})

test('the lookup responds over HTTP, even beyond the limit', async () => {
  const uid = await world.person()
  const token = await world.token(uid)
  const call = (phone: string) => world.call('wallet-holder', { phone, receivingMethod: 'mtn_money' }, token)
  expect(await call(NO_WALLET)).toMatchObject({ status: 200, body: { kind: 'none' } })
  for (let index = 0; index < 9; index += 1) await call(buildNumber(index))
  expect(await call(buildNumber(9))).toEqual({ status: 200, body: { kind: 'silent' } })
})
