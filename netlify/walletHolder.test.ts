import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR } from '../domain/duration.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { walletHolder } from './server/payouts/walletHolder.ts'
import type { Caller } from './server/platform/caller.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'

// Whose wallet a number is, before somebody pays to it. MTN's emulator is the sandbox's.
testInEmptyWorld()
beforeEach(() => world.payOutAsDeployed())

const ACCOUNT = 'GET /disbursement/v1_0/accountholder/msisdn/'
const NO_WALLET = '+224660000450'
const asked = () => world.requests.filter((line) => line.startsWith(ACCOUNT))

const ask = (caller: Caller, phone = '+224660000480', receivingMethod = 'mtn_money', as = world.context) =>
  walletHolder(as, caller, { phone, receivingMethod })
const somebody = async () => world.callerOf(await world.person())
const numbered = (index: number) => `+2246611000${String(index).padStart(2, '0')}`

const answers = (body: object, on = `${ACCOUNT}224660000480/basicuserinfo`) =>
  world.sandbox.faults.add({
    on,
    times: 1,
    what: { kind: 'answer', status: 200, body: JSON.stringify(body), done: false },
  })

describe('whose wallet a number is', () => {
  test('is told by a first name and an initial', async () => {
    const caller = await somebody()
    answers({ given_name: 'MARIAMA', family_name: 'Bah', birthdate: '1976-08-13', gender: 'FEMALE' })
    expect(await ask(caller)).toEqual({ ok: true, value: { kind: 'named', name: 'Mariama B.' } })
    expect(await ask(caller, '+224 660 00 04 80')).toMatchObject({ value: { kind: 'named' } })
  })

  test('nobody has it', async () => {
    expect(await ask(await somebody(), NO_WALLET)).toEqual({ ok: true, value: { kind: 'none' } })
  })

  test.each([
    ['that is no name', { given_name: '620 00 00 00', family_name: 'Bah' }],
    ['that could be ours', { given_name: 'Passerelle', family_name: 'Bah' }],
    ['of nobody', {}],
  ])('a name %s is not told', async (_, body) => {
    answers(body)
    expect(await ask(await somebody())).toEqual({ ok: true, value: { kind: 'silent' } })
  })

  test('silence of MTN is an answer', async () => {
    world.sandbox.faults.add({ on: ACCOUNT, times: 2, what: { kind: 'cutBefore' } })
    expect(await ask(await somebody())).toEqual({ ok: true, value: { kind: 'silent' } })
  })
})

describe('nobody is asked', () => {
  test.each<[string, string, string]>([
    ['about a number of no country', '+1', 'mtn_money'],
    ['about something else than a number', 'Mariama', 'mtn_money'],
    ['about half a number', '+22466000', 'mtn_money'],
    ['about a wallet of another country', '+33612345678', 'mtn_money'],
    ['about a wallet that nobody knows', '+224660000480', 'some_money'],
    ['where people pay out', '+224620000000', 'orange_money'],
  ])('%s', async (_, phone, wallet) => {
    expect(await ask(await somebody(), phone, wallet)).toEqual({ ok: true, value: { kind: 'silent' } })
    expect(asked()).toEqual([])
  })

  test('unless an operator wants it, nor where nobody pays out', async () => {
    const caller = await somebody()
    const off = { ...world.context, namesHolders: false }
    expect(await ask(caller, undefined, undefined, off)).toEqual({ ok: true, value: { kind: 'silent' } })
    world.payOutBy()
    expect(await ask(caller)).toEqual({ ok: true, value: { kind: 'silent' } })
    expect(asked()).toEqual([])
    expect(
      Object.keys(world.sandbox.firestore.documents()).filter((path) => path.startsWith('limits/')),
    ).toEqual([])
  })
})

describe('ten numbers a day', () => {
  const askTen = async (caller: Caller) => {
    for (let index = 0; index < 10; index += 1)
      expect(await ask(caller, numbered(index))).toMatchObject({ value: { kind: 'named' } })
  }

  test('and not one more, until the next one begins', async () => {
    const caller = await somebody()
    await askTen(caller)
    const before = asked().length
    expect(await ask(caller, numbered(10))).toEqual({ ok: true, value: { kind: 'silent' } })
    expect(asked().length).toBe(before)
    expect(world.logged.at(-1)).toEqual({ level: 'info', event: 'holderAsked', count: 11 })
    expect(await ask(await somebody(), numbered(10))).toMatchObject({ value: { kind: 'named' } })
    world.pass(12 * HOUR - 1)
    expect(await ask(caller, numbered(10))).toMatchObject({ value: { kind: 'silent' } })
    world.pass(1)
    expect(await ask(caller, numbered(10))).toMatchObject({ value: { kind: 'named' } })
  })

  test('the same one counts once', async () => {
    const caller = await somebody()
    for (let times = 0; times < 12; times += 1) await ask(caller, numbered(0))
    await askTen(caller)
    expect(await ask(caller, numbered(9))).toMatchObject({ value: { kind: 'named' } })
    expect(await ask(caller, numbered(10))).toMatchObject({ value: { kind: 'silent' } })
  })

  test('a new account of the same person goes on where they were', async () => {
    const uid = await world.person()
    await askTen(world.callerOf(uid))
    const again = world.callerOf(await world.person({}, uid))
    expect(await ask(again, numbered(10))).toMatchObject({ value: { kind: 'silent' } })
    expect(await ask(again, numbered(3))).toMatchObject({ value: { kind: 'named' } })
  })

  test('asked at the same moment are counted one after the other', async () => {
    const caller = await somebody()
    const all = await Promise.all(Array.from({ length: 14 }, (_, index) => ask(caller, numbered(index))))
    const named = all.filter((answer) => answer.ok && answer.value.kind === 'named')
    expect(named).toHaveLength(10)
  })

  test('without the count nobody is told anything', async () => {
    const caller = await somebody()
    const on = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents'
    world.sandbox.faults.add({ on, times: 50, what: { kind: 'status', status: 403 } })
    await expect(ask(caller)).rejects.toThrow()
    expect(asked()).toEqual([])
  })
})

test('nothing of a number or a name is kept or logged, only the count', async () => {
  const caller = await somebody()
  const before = JSON.stringify(world.sandbox.firestore.documents())
  for (const phone of ['+224660000480', NO_WALLET]) await ask(caller, phone)
  const told = (await ask(caller)) as { value: { name: string } }
  const [name = ''] = told.value.name.split(' ')
  const documents = Object.entries(world.sandbox.firestore.documents())
  const kept = JSON.stringify(documents)
  for (const secret of ['660000480', '660000450', name]) {
    expect(kept).not.toContain(secret)
    expect(JSON.stringify(world.logged)).not.toContain(secret)
  }
  const counted = documents.filter(([path]) => !before.includes(path))
  // One for each name of the person.
  expect(counted).toHaveLength(2)
  const marks = new Set(
    counted.flatMap(([, document]) => JSON.stringify(document).match(/[0-9a-f]{64}/g) ?? []),
  )
  // Neither the two names nor two days could be laid side by side.
  expect(marks.size).toBe(4)
  expect(world.logged.filter(({ event }) => event === 'holderAsked')).toEqual(
    [1, 2, 2].map((count) => ({ level: 'info', event: 'holderAsked', count })),
  )

  world.pass(48 * HOUR)
  await sweep(world.context)
  const left = world.sandbox.firestore.documents()
  for (const [path] of counted) expect(left).not.toHaveProperty([path])
})

test('the app is answered over the wire, beyond the limit too', async () => {
  const uid = await world.person()
  const token = await world.token(uid)
  const call = (phone: string) => world.call('wallet-holder', { phone, receivingMethod: 'mtn_money' }, token)
  expect(await call(NO_WALLET)).toMatchObject({ status: 200, body: { kind: 'none' } })
  for (let index = 0; index < 9; index += 1) await call(numbered(index))
  expect(await call(numbered(9))).toEqual({ status: 200, body: { kind: 'silent' } })
})
