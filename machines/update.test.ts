import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type AnyEventObject,
  createActor,
  fromCallback,
  type NonReducibleUnknown,
  SimulatedClock,
} from 'xstate'
import { DAY, HOUR } from '../domain/duration.ts'
import { fakeActor, settle } from './testing/fakeActor.ts'
import { walk } from './testing/walk.ts'
import { type UpdateEvent, updateMachine } from './update.ts'

let stop = () => {}
afterEach(() => stop())

function createTestActor(overrides: Parameters<typeof updateMachine.provide>[0]['actors'] = {}) {
  const clock = new SimulatedClock()
  const askForVersion = vi.fn()
  const reloadPage = vi.fn()
  const activate = fakeActor<boolean, NonReducibleUnknown>()
  const watching = new Map<string, (event: AnyEventObject) => void>()
  const watcher = (name: string) =>
    fromCallback<AnyEventObject>(({ sendBack }) => {
      watching.set(name, sendBack)
      return () => watching.delete(name)
    })
  const actor = createActor(
    updateMachine.provide({
      actors: {
        watchVersions: watcher('versions'),
        watchPayments: watcher('payments'),
        activate: activate.logic,
        ...overrides,
      },
      actions: { askForVersion, reloadPage },
    }),
    { clock },
  ).start()
  stop = () => actor.stop()
  return {
    clock,
    askForVersion,
    reloadPage,
    activate,
    watching: () => [...watching.keys()],
    send: (...types: UpdateEvent['type'][]) => types.forEach((type) => void actor.send({ type })),
    value: () => actor.getSnapshot().value,
  }
}

describe('asking for a new version', () => {
  test('happens each hour', () => {
    const { askForVersion, clock, value } = createTestActor()
    expect(askForVersion).toHaveBeenCalledTimes(0)
    clock.increment(HOUR - 1)
    expect(askForVersion).toHaveBeenCalledTimes(0)
    clock.increment(1)
    expect(askForVersion).toHaveBeenCalledTimes(1)
    clock.increment(HOUR)
    expect(askForVersion).toHaveBeenCalledTimes(2)
    expect(value()).toBe('upToDate')
  })

  test('happens when the page is shown again, and then an hour later', () => {
    const { askForVersion, clock, send } = createTestActor()
    clock.increment(HOUR / 2)
    send('page.shown')
    expect(askForVersion).toHaveBeenCalledTimes(1)
    clock.increment(HOUR - 1)
    expect(askForVersion).toHaveBeenCalledTimes(1)
    clock.increment(1)
    expect(askForVersion).toHaveBeenCalledTimes(2)
  })
})

describe('an offer', () => {
  test('waits for the end of all payments, and leaves when another begins', () => {
    const { send, value } = createTestActor()
    send('version.ready')
    expect(value()).toEqual({ ready: 'awaitingCalm' })
    send('update.accept')
    expect(value()).toEqual({ ready: 'awaitingCalm' })
    send('payment.over')
    expect(value()).toEqual({ ready: 'offered' })
    send('payment.begun')
    expect(value()).toEqual({ ready: 'awaitingCalm' })
    send('payment.over')
    expect(value()).toEqual({ ready: 'offered' })
  })

  test('watches payments while there is something to offer, and versions always', () => {
    const { send, watching } = createTestActor()
    expect(watching()).toEqual(['versions'])
    send('version.ready')
    expect(watching()).toEqual(['versions', 'payments'])
    send('payment.over', 'update.later')
    expect(watching()).toEqual(['versions'])
  })

  test('that was put off comes again after a day, if the moment is calm', () => {
    const { clock, send, value } = createTestActor()
    send('version.ready', 'payment.over', 'update.later')
    clock.increment(DAY - 1)
    expect(value()).toBe('postponed')
    clock.increment(1)
    expect(value()).toEqual({ ready: 'awaitingCalm' })
    send('payment.over')
    expect(value()).toEqual({ ready: 'offered' })
  })
})

describe('an accepted offer', () => {
  const accept = () => {
    const started = createTestActor()
    started.send('version.ready', 'payment.over', 'update.accept')
    return started
  }

  test('reloads the page once the new version serves it', async () => {
    const { activate, reloadPage, send, value } = accept()
    expect(value()).toBe('activating')
    await activate.answer(true)
    expect(value()).toEqual({ activated: 'awaitingCalm' })
    expect(reloadPage).toHaveBeenCalledTimes(0)
    send('payment.over')
    expect(value()).toEqual({ activated: 'reloading' })
    expect(reloadPage).toHaveBeenCalledTimes(1)
    send('payment.over', 'version.activated')
    expect(reloadPage).toHaveBeenCalledTimes(1)
  })

  test('is made again when a payment came in between', async () => {
    const { activate, send, value } = accept()
    await activate.answer(false)
    expect(value()).toEqual({ ready: 'awaitingCalm' })
    send('payment.over')
    expect(value()).toEqual({ ready: 'offered' })
  })

  test('is made again when the new version does not take over', async () => {
    const failing = accept()
    await failing.activate.fail()
    expect(failing.value()).toEqual({ ready: 'awaitingCalm' })
    stop()
    const hanging = accept()
    hanging.clock.increment(9_999)
    expect(hanging.value()).toBe('activating')
    hanging.clock.increment(1)
    expect(hanging.value()).toEqual({ ready: 'awaitingCalm' })
  })
})

test.each<UpdateEvent['type'][]>([
  [],
  ['version.ready'],
  ['version.ready', 'payment.over'],
  ['version.ready', 'payment.over', 'update.later'],
  ['version.ready', 'payment.over', 'update.accept'],
])('a version that another tab asked for reloads this one when it is calm: %s %s %s', (...before) => {
  const { reloadPage, send, value } = createTestActor()
  send(...before.filter((type) => type !== undefined), 'version.activated')
  expect(value()).toEqual({ activated: 'awaitingCalm' })
  expect(reloadPage).toHaveBeenCalledTimes(0)
  send('payment.over')
  expect(reloadPage).toHaveBeenCalledTimes(1)
})

describe('an actor that nobody provided', () => {
  const { actors } = updateMachine.implementations
  const unprovided = (name: keyof typeof actors) => ({ [name]: actors[name] })

  test('watchVersions: the app works as it is', async () => {
    const { clock, value } = createTestActor(unprovided('watchVersions'))
    await settle()
    clock.increment(HOUR)
    expect(value()).toBe('upToDate')
  })

  test('watchPayments: nothing is offered, nothing reloads', async () => {
    const { reloadPage, send, value } = createTestActor(unprovided('watchPayments'))
    send('version.ready')
    await settle()
    expect(value()).toEqual({ ready: 'awaitingCalm' })
    send('version.activated')
    await settle()
    expect(value()).toEqual({ activated: 'awaitingCalm' })
    expect(reloadPage).not.toHaveBeenCalled()
  })

  test('activate: the offer is made again', async () => {
    const { send, value } = createTestActor(unprovided('activate'))
    send('version.ready', 'payment.over', 'update.accept')
    await settle()
    expect(value()).toEqual({ ready: 'awaitingCalm' })
  })
})

test('whatever happens, nothing changes under a payment', async () => {
  const reloadPage = vi.fn()
  const types: UpdateEvent['type'][] = [
    'version.ready',
    'version.activated',
    'page.shown',
    'payment.begun',
    'payment.over',
    'update.accept',
    'update.later',
  ]
  const { paths, untaken } = await walk({
    machine: updateMachine.provide({ actions: { askForVersion: () => {}, reloadPage } }),
    input: undefined,
    events: () => types.map((type) => ({ type })),
    answers: { activate: [true, false] },
    invariant: ({ event, before, after, at }) => {
      const isReloading = after.matches({ activated: 'reloading' })
      if (isReloading && !before.matches({ activated: 'reloading' }))
        expect(event.type, at).toBe('payment.over')
      expect(reloadPage.mock.calls.length, at).toBe(isReloading ? 1 : 0)
      if (after.matches('activating') && !before.matches('activating'))
        expect([event.type, before.value], at).toEqual(['update.accept', { ready: 'offered' }])
      if (event.type === 'payment.begun') expect(after.matches({ ready: 'offered' }), at).toBe(false)
      if (event.type === 'version.activated') expect(after.matches('activated'), at).toBe(true)
      reloadPage.mockClear()
    },
  })
  expect(paths).toBeGreaterThan(60)
  expect(untaken).toEqual([])
})
