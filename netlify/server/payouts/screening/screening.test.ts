import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../../domain/common/duration.ts'
import { SCREENING_ANSWER_PERIOD } from '../../../../domain/payouts/screening.ts'
import { type CommandOptions, runCommand } from '../../../../scripts/operations/commands.ts'
import { claimDueOrders } from '../../../../scripts/operations/handPayments.ts'
import { addSignature } from '../../../../scripts/operations/testing/addSignature.ts'
import {
  enableSimulatedProvider,
  passTimeWithJob,
  payTransfer,
  readOrder,
} from '../../../testing/deliveries.ts'
import { resetWorldForEachTest, world } from '../../../testing/emptyWorld.ts'
import { WORLD_START } from '../../../testing/world.ts'
import { pausePayments } from '../../events/pauses.ts'
import { byHandProvider } from '../providers/byHand.ts'
import { decideCase } from './cases.ts'
import { findScreeningHold } from './hold.ts'

resetWorldForEachTest({ isMoneyChecked: true })

const FIXTURE = readFileSync(new URL('../../../testing/targets.simple.csv', import.meta.url), 'utf8')
/** The end of the day on which the newest row of the fixture is outdated. */
const OUTDATED = Date.UTC(2026, 10, 26, 6) + 1

beforeEach(() => {
  enableSimulatedProvider()
  world.storeList(FIXTURE)
  world.screenByFile()
})

const LISTED = 'Sekou Keita'
const send = (senderName = 'Ada Lovelace', recipientName = 'Aïssatou Bâ') =>
  payTransfer({ senderName, request: { recipientName } })
const sendToListed = () => send(undefined, LISTED)

const run = async (command: string, options: CommandOptions = {}) => {
  const words = command.split(' ')
  return (await runCommand(world.context, words, { ...addSignature(words), ...options })).lines
}
const readDelivery = async (id: string) =>
  (await world.context.db.doc(`transactions/${id}`).get()).get('delivery') as unknown
const listAlarms = () =>
  world.logged.filter(({ event }) => event.startsWith('screening')).map(({ time: _, ...entry }) => entry)
const sentPayouts = () => world.payouts.taken().map(({ transferId }) => transferId)

describe('a transfer between persons who are not on the list', () => {
  test('a transfer between unlisted persons is paid out', async () => {
    const { id } = await send()
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'delivered', screening: null })
    expect(listAlarms()).toEqual([])
  })

  test('settings without a list pay a transfer without a search', async () => {
    world.screenBy(null)
    world.storeList(null)
    const { id } = await sendToListed()
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'delivered', screening: null })
  })
})

describe('a transfer with a name that is like one on the list', () => {
  test.each([
    ['its recipient', 'recipient', undefined, LISTED],
    ['its sender', 'sender', LISTED, undefined],
  ])('a name of %s like a listed one holds the transfer', async (_, who, from, to) => {
    const { id } = await send(from, to)
    expect(await readOrder(id)).toMatchObject({
      state: 'held',
      holds: ['screening'],
      screening: {
        answerBy: WORLD_START + SCREENING_ANSWER_PERIOD,
        hits: [{ who, entry: 'fx-1', name: 'Sékou Oumar Keïta', birthDates: ['1968-03-14'] }],
      },
    })
    expect(listAlarms()).toEqual([
      { level: 'error', event: 'screeningHit', paymentIntentId: id, entries: ['fx-1'] },
    ])
    expect(await readDelivery(id)).toMatchObject({
      ...{ stage: 'ordered', isLate: true, isChecked: true, isCancelable: false },
      answerBy: WORLD_START + SCREENING_ANSWER_PERIOD,
    })
    await passTimeWithJob(DAY)
    await run('deliveries claim')
    expect(sentPayouts()).toEqual([])
  })

  test('a listed name holds an order that an operator claims', async () => {
    world.payOutBy(byHandProvider)
    const { id } = await sendToListed()
    expect(await readOrder(id)).toMatchObject({ state: 'due' })
    expect(await claimDueOrders(world.context, { batch: 'b1', by: 'Awa', ids: [id] })).toEqual(
      new Map([[id, 'held']]),
    )
  })

  test('a newly listed name holds a transfer before its repetition', async () => {
    world.payouts.fallSilent('before')
    const { id } = await sendToListedLater()
    expect(await readOrder(id)).toMatchObject({ state: 'handingOver', holds: [] })
    world.storeList(FIXTURE)
    world.payouts.fallSilent()
    await passTimeWithJob(11 * MINUTE)
    expect(await readOrder(id)).toMatchObject({ state: 'held', holds: ['screening'] })
    expect(sentPayouts()).toEqual([])
    await run(`people release ${id}`)
    await passTimeWithJob()
    await passTimeWithJob(2 * MINUTE)
    expect(sentPayouts()).toEqual([id])
  })

  async function sendToListedLater() {
    world.storeList(FIXTURE.replace(/"fx-1".*\n/, ''))
    return sendToListed()
  }

  test('the search uses the name and birth date of the document', async () => {
    const { uid } = await send()
    const order = { uid, lifted: [], senderName: 'Mamadou Diallo', recipientName: 'Aïssatou Bâ' }
    const search = () => findScreeningHold(world.context, order)
    expect(await search()).toMatchObject({ hits: [{ entry: 'fx-3' }] })
    await world.writeIdentity(uid, 'pending', undefined, { dateOfBirth: '1991-01-01' })
    expect(await search()).toMatchObject({ hits: [{ entry: 'fx-3' }] })
    await world.writeIdentity(uid, 'approved', undefined, { dateOfBirth: '1991-01-01' })
    expect(await search()).toBe(null)
    await world.writeIdentity(uid, 'approved', undefined, {
      ...{ fullName: 'Fatou Ndiaye', dateOfBirth: '1991-01-01' },
    })
    expect(await search()).toMatchObject({ hits: [{ who: 'sender', entry: 'fx-4' }] })
  })
})

describe('an operator', () => {
  test('an operator releases a case, which is not held again', async () => {
    const { id, uid } = await sendToListed()
    expect(await run('people cases')).toEqual([
      `${id}: GNF 1,028,200 from Ada Lovelace (user ${uid}) to Sekou Keita (${(await readOrder(id))?.phone}). Answer promised by 2026-11-23 12:00:00 UTC.`,
      '  The recipient has a name like Sékou Oumar Keïta (fx-1, born 1968-03-14).',
    ])
    expect(await run(`people release ${id}`)).toEqual(['Done.', `${id}: due.`])
    expect(await readDelivery(id)).toMatchObject({ isChecked: false, answerBy: null })
    await passTimeWithJob()
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'delivered', lifted: ['screening'] })
    expect(sentPayouts()).toEqual([id])
    expect(await run('people cases')).toEqual(['The list of sanctions holds no transfer.'])
    expect((await run(`actions ${id}`)).join()).toContain(`people release ${id}`)
  })

  test('a transfer that an operator refuses is refunded in full, once', async () => {
    const { id } = await sendToListed()
    expect(await run(`people refuse ${id}`)).toEqual(['Done.', `${id}: failed (canceled), and owed back.`])
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'paidBack', failure: 'canceled' })
    expect(await readDelivery(id)).toMatchObject({ stage: 'paidBack', failure: 'canceled', answerBy: null })
    expect(world.sandbox.stripe.refunds().map(({ amount }) => amount)).toEqual([10_000])
    expect(sentPayouts()).toEqual([])
  })

  test('a case is decided only once, even concurrently', async () => {
    const [released, refused, both] = [await sendToListed(), await sendToListed(), await sendToListed()]
    await run(`people release ${released.id}`)
    await run(`people refuse ${refused.id}`)
    for (const [id, other] of [
      [released.id, 'refuse'],
      [refused.id, 'release'],
      [refused.id, 'refuse'],
    ])
      expect((await run(`people ${other} ${id}`))[0]).toBe(
        'Nothing was changed: it waits for no such decision.',
      )
    const decisions = (['release', 'refuse'] as const).map((one) => decideCase(world.context, both.id, one))
    expect((await Promise.all(decisions)).filter((decided) => decided?.isTaken)).toHaveLength(1)
    expect(await run('people release pi_unknown')).toEqual([
      'pi_unknown has no delivery order: check the ID.',
    ])
  })

  test.each(['deliveries release', 'deliveries failed', 'people resume'])(
    'the command %s does not decide a case',
    async (command) => {
      const { id, uid } = await sendToListed()
      await run(`${command} ${command.startsWith('people') ? uid : id}`, {
        ...(command.endsWith('failed') && { reason: 'canceled' }),
      })
      expect(await readOrder(id)).toMatchObject({ state: 'held', holds: ['screening'] })
    },
  )

  test('a released case stays held if its sender is paused', async () => {
    const { id, uid } = await sendToListed()
    await pausePayments(world.context, uid, 'du_1')
    await run(`people release ${id}`)
    expect(await readOrder(id)).toMatchObject({ state: 'held', holds: ['stop'] })
    expect(await readDelivery(id)).toMatchObject({ isChecked: false, answerBy: null })
  })

  test('operators are alerted to a case whose answer is overdue', async () => {
    const { id } = await sendToListed()
    await passTimeWithJob(SCREENING_ANSWER_PERIOD - 1)
    const reminder = { level: 'error', event: 'screeningOverdue', paymentIntentId: id }
    expect(listAlarms()).not.toContainEqual(reminder)
    world.storeList(FIXTURE.replaceAll('2026-11-19T', '2026-11-23T'))
    await passTimeWithJob()
    expect(listAlarms()).toContainEqual(reminder)
    expect((await run('people cases'))[0]).toContain('12:00:00 UTC, which is over.')
  })
})

describe('an unusable list', () => {
  const FAILURES: Readonly<Record<string, () => void>> = {
    missing: () => world.storeList(null),
    empty: () => world.storeList(''),
    unreadable: () => world.storeList('<!doctype html>'),
    outdated: () => world.setTime(OUTDATED),
  }

  test.each(Object.entries(FAILURES))(
    'a list that is %s holds every transfer, and alerts operators once',
    async (problem, fail) => {
      fail()
      for (let times = 0; times < 2; times += 1) {
        const { id } = await send()
        expect(await readOrder(id)).toMatchObject({ state: 'held', holds: ['screeningList'] })
        expect(await readDelivery(id)).toMatchObject({
          ...{ isChecked: true, isCancelable: false },
          answerBy: world.now() + SCREENING_ANSWER_PERIOD,
        })
        await passTimeWithJob(HOUR)
      }
      expect(sentPayouts()).toEqual([])
      expect(listAlarms()).toEqual([{ level: 'error', event: 'screeningListUnusable', problem }])
    },
  )

  test.each([403, 500])('status %i for the list holds transfers', async (status) => {
    world.sandbox.faults.add({ on: 'GET /storage/v1', times: 9, what: { kind: 'status', status } })
    const { id } = await send()
    expect(await readOrder(id)).toMatchObject({ state: 'held', holds: ['screeningList'] })
    world.sandbox.faults.reset()
    await passTimeWithJob()
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'delivered' })
  })

  test('operators are alerted to each problem of the list, and its end', async () => {
    for (const fail of [FAILURES.missing, FAILURES.missing, FAILURES.empty]) {
      fail?.()
      await passTimeWithJob(HOUR)
    }
    world.storeList(FIXTURE)
    await passTimeWithJob(HOUR)
    await passTimeWithJob(HOUR)
    expect(listAlarms()).toEqual([
      { level: 'error', event: 'screeningListUnusable', problem: 'missing' },
      { level: 'error', event: 'screeningListUnusable', problem: 'empty' },
      { level: 'info', event: 'screeningListUsable' },
    ])
  })

  test('a missing list is noticed within ten minutes', async () => {
    await send()
    world.storeList(null)
    world.pass(11 * MINUTE)
    expect(await readOrder((await send()).id)).toMatchObject({ holds: ['screeningList'] })
  })

  test('a list dated in the future holds transfers', async () => {
    world.storeList(FIXTURE.replace('2026-11-19T', '2062-11-19T'))
    expect(await readOrder((await send()).id)).toMatchObject({ holds: ['screeningList'] })
  })

  test('a usable list lets the next run release unlisted names', async () => {
    world.storeList(null)
    const [clear, listed] = [await send(), await sendToListed()]
    const promised = (await readOrder(listed.id))?.screening.answerBy
    world.pass(HOUR)
    world.storeList(FIXTURE)
    await passTimeWithJob()
    expect(await readOrder(clear.id)).toMatchObject({ state: 'handedOver', holds: [], lifted: [] })
    expect(await readOrder(listed.id)).toMatchObject({
      ...{ state: 'held', holds: ['screening'] },
      screening: { answerBy: promised, hits: [{ entry: 'fx-1' }] },
    })
    expect(sentPayouts()).toEqual([clear.id])
  })

  test('without a list, a released transfer is searched for again', async () => {
    world.storeList(null)
    const [refused, released] = [await send(), await send()]
    expect((await run('people cases'))[1]).toBe("  Not searched for yet, because the list can't be used.")
    await run(`people refuse ${refused.id}`)
    expect(await readOrder(refused.id)).toMatchObject({ state: 'paidBack' })
    expect((await run(`people release ${released.id}`))[0]).toContain('Nothing was changed')
    await run(`deliveries release ${released.id}`)
    await passTimeWithJob()
    expect(await readOrder(released.id)).toMatchObject({ state: 'held', holds: ['screeningList'] })
    expect(sentPayouts()).toEqual([])
  })

  test('transfers held by an unusable list outlast the setting', async () => {
    world.storeList(null)
    const { id } = await send()
    world.screenBy(null)
    await passTimeWithJob(HOUR)
    expect(await readOrder(id)).toMatchObject({ state: 'held', holds: ['screeningList'] })
  })
})
