import { afterEach, describe, expect, test, vi } from 'vitest'
import { DAY, HOUR } from '../domain/common/duration.ts'
import { flushQueue } from './testing/fakeActor.ts'
import { createTestActor as createMachine, stopTestActor } from './testing/updateSituations.ts'
import { walk } from './testing/walk.ts'
import { type UpdateEvent, updateMachine } from './update.ts'

afterEach(stopTestActor)

function createTestActor(overrides: Parameters<typeof createMachine>[0] = {}) {
  const actions = { checkForVersion: vi.fn(), reloadPage: vi.fn() }
  return { ...createMachine(overrides, actions), ...actions }
}

describe('looking for a new version', () => {
  test('the app looks for a new version each hour', () => {
    const { checkForVersion, clock, value } = createTestActor()
    expect(checkForVersion).toHaveBeenCalledTimes(0)
    clock.increment(HOUR - 1)
    expect(checkForVersion).toHaveBeenCalledTimes(0)
    clock.increment(1)
    expect(checkForVersion).toHaveBeenCalledTimes(1)
    clock.increment(HOUR)
    expect(checkForVersion).toHaveBeenCalledTimes(2)
    expect(value()).toBe('upToDate')
  })

  test('a new version is looked for on return, then an hour later', () => {
    const { checkForVersion, clock, send } = createTestActor()
    clock.increment(HOUR / 2)
    send('page.shown')
    expect(checkForVersion).toHaveBeenCalledTimes(1)
    clock.increment(HOUR - 1)
    expect(checkForVersion).toHaveBeenCalledTimes(1)
    clock.increment(1)
    expect(checkForVersion).toHaveBeenCalledTimes(2)
  })
})

describe('the offer of a new version', () => {
  test('the offer of a version waits for the end of payments', () => {
    const { send, value } = createTestActor()
    send('version.ready')
    expect(value()).toEqual({ ready: 'awaitingPayments' })
    send('update.accept')
    expect(value()).toEqual({ ready: 'awaitingPayments' })
    send('payment.ended')
    expect(value()).toEqual({ ready: 'offered' })
    send('payment.started')
    expect(value()).toEqual({ ready: 'awaitingPayments' })
    send('payment.ended')
    expect(value()).toEqual({ ready: 'offered' })
  })

  test('the machine watches payments only while it can offer a version', () => {
    const { send, watching } = createTestActor()
    expect(watching()).toEqual(['versions'])
    send('version.ready')
    expect(watching()).toEqual(['versions', 'payments'])
    send('payment.ended', 'update.postpone')
    expect(watching()).toEqual(['versions'])
  })

  test('a postponed offer returns a day later, without an open payment', () => {
    const { clock, send, value } = createTestActor()
    send('version.ready', 'payment.ended', 'update.postpone')
    clock.increment(DAY - 1)
    expect(value()).toBe('postponed')
    clock.increment(1)
    expect(value()).toEqual({ ready: 'awaitingPayments' })
    send('payment.ended')
    expect(value()).toEqual({ ready: 'offered' })
  })
})

describe('an accepted version', () => {
  const accept = () => {
    const started = createTestActor()
    started.send('version.ready', 'payment.ended', 'update.accept')
    return started
  }

  test('accepting a version reloads the page after the last payment', async () => {
    const { activate, reloadPage, send, value } = accept()
    expect(value()).toBe('activating')
    await activate.answer(true)
    expect(value()).toEqual({ activated: 'awaitingPayments' })
    expect(reloadPage).toHaveBeenCalledTimes(0)
    send('payment.ended')
    expect(value()).toEqual({ activated: 'reloading' })
    expect(reloadPage).toHaveBeenCalledTimes(1)
    send('payment.ended', 'version.activated')
    expect(reloadPage).toHaveBeenCalledTimes(1)
  })

  test('an accepted version is offered again if a payment began in between', async () => {
    const { activate, send, value } = accept()
    await activate.answer(false)
    expect(value()).toEqual({ ready: 'awaitingPayments' })
    send('payment.ended')
    expect(value()).toEqual({ ready: 'offered' })
  })

  test('an accepted version is offered again if it does not take over', async () => {
    const failing = accept()
    await failing.activate.fail()
    expect(failing.value()).toEqual({ ready: 'awaitingPayments' })
    stopTestActor()
    const hanging = accept()
    hanging.clock.increment(9_999)
    expect(hanging.value()).toBe('activating')
    hanging.clock.increment(1)
    expect(hanging.value()).toEqual({ ready: 'awaitingPayments' })
  })
})

test.each<[string, UpdateEvent['type'][]]>([
  ['knows no new version', []],
  ['waits for payments to end', ['version.ready']],
  ['offers the version', ['version.ready', 'payment.ended']],
  ['has postponed the version', ['version.ready', 'payment.ended', 'update.postpone']],
  ['has accepted the version', ['version.ready', 'payment.ended', 'update.accept']],
])('a tab that %s reloads, without payment, after another tab’s activation', (_, before) => {
  const { reloadPage, send, value } = createTestActor()
  send(...before, 'version.activated')
  expect(value()).toEqual({ activated: 'awaitingPayments' })
  expect(reloadPage).toHaveBeenCalledTimes(0)
  send('payment.ended')
  expect(reloadPage).toHaveBeenCalledTimes(1)
})

describe('an actor that was not provided', () => {
  const { actors } = updateMachine.implementations
  const unprovided = (name: keyof typeof actors) => ({ [name]: actors[name] })

  test('the app stays in its version if watchVersions is not provided', async () => {
    const { clock, value } = createTestActor(unprovided('watchVersions'))
    await flushQueue()
    clock.increment(HOUR)
    expect(value()).toBe('upToDate')
  })

  test('the update machine offers and reloads nothing if watchPayments is not provided', async () => {
    const { reloadPage, send, value } = createTestActor(unprovided('watchPayments'))
    send('version.ready')
    await flushQueue()
    expect(value()).toEqual({ ready: 'awaitingPayments' })
    send('version.activated')
    await flushQueue()
    expect(value()).toEqual({ activated: 'awaitingPayments' })
    expect(reloadPage).not.toHaveBeenCalled()
  })

  test('an accepted version is offered again if activate is not provided', async () => {
    const { send, value } = createTestActor(unprovided('activate'))
    send('version.ready', 'payment.ended', 'update.accept')
    await flushQueue()
    expect(value()).toEqual({ ready: 'awaitingPayments' })
  })
})

test('a payment is never interrupted by a reload or an activation', () => {
  const types: UpdateEvent['type'][] = [
    'version.ready',
    'version.activated',
    'page.shown',
    'payment.started',
    'payment.ended',
    'update.accept',
    'update.postpone',
  ]
  const { paths, untaken } = walk({
    machine: updateMachine,
    input: undefined,
    events: () => types.map((type) => ({ type })),
    answers: { activate: [true, false] },
    invariant: ({ event, before, after, executed, at }) => {
      const isReloading = after.matches({ activated: 'reloading' })
      if (isReloading && !before.matches({ activated: 'reloading' }))
        expect(event.type, at).toBe('payment.ended')
      expect(executed.filter((type) => type === 'reloadPage').length, at).toBe(isReloading ? 1 : 0)
      if (after.matches('activating') && !before.matches('activating'))
        expect([event.type, before.value], at).toEqual(['update.accept', { ready: 'offered' }])
      if (event.type === 'payment.started') expect(after.matches({ ready: 'offered' }), at).toBe(false)
      if (event.type === 'version.activated') expect(after.matches('activated'), at).toBe(true)
    },
  })
  expect(paths).toBeGreaterThan(60)
  expect(untaken).toEqual([])
})
