import { afterEach, describe, expect, test } from 'vitest'
import { createActor, type NonReducibleUnknown } from 'xstate'
import { err, ok, type Result } from '../domain/result.ts'
import { type PushEvent, type PushProblem, type PushStanding, pushMachine } from './push.ts'
import { fakeActor } from './testing/fakeActor.ts'
import { walk } from './testing/walk.ts'

const UID = 'awa'

let stop = () => {}
afterEach(() => stop())

function createTestActor() {
  const look = fakeActor<PushStanding, { uid: string }>()
  const askPermission = fakeActor<NotificationPermission, NonReducibleUnknown>()
  const subscribe = fakeActor<Result<null, PushProblem>, { uid: string }>()
  const unsubscribe = fakeActor<void, NonReducibleUnknown>()
  const fakes = { look, askPermission, subscribe, unsubscribe }
  const actors = {
    look: look.logic,
    askPermission: askPermission.logic,
    subscribe: subscribe.logic,
    unsubscribe: unsubscribe.logic,
  }
  const actor = createActor(pushMachine.provide({ actors }), { input: { uid: UID } }).start()
  stop = () => actor.stop()
  return {
    ...fakes,
    send: (type: PushEvent['type']) => actor.send({ type }),
    value: () => actor.getSnapshot().value,
    problem: () => actor.getSnapshot().context.problem,
    isBusy: () => actor.getSnapshot().hasTag('busy'),
  }
}

async function looked(standing: PushStanding) {
  const started = createTestActor()
  await started.look.answer(standing)
  return started
}

describe('what the device can do is shown', () => {
  test.each<PushStanding>(['unsupported', 'notInstalled', 'blocked', 'off', 'on'])('%s', async (standing) => {
    const { look, value, isBusy } = createTestActor()
    expect(isBusy()).toBe(true)
    await look.answer(standing)
    expect(value()).toBe(standing)
    expect(look.asked).toEqual([{ uid: UID }])
    expect(isBusy()).toBe(false)
  })

  test('as none where nobody can tell', async () => {
    const { look, value } = createTestActor()
    await look.fail()
    expect(value()).toBe('unsupported')
  })

  test.each<PushStanding>(['blocked', 'off', 'on'])(
    'again when the person comes back: %s',
    async (standing) => {
      const { look, send, value } = await looked(standing)
      send('page.shown')
      expect(value()).toBe('looking')
      await look.answer('blocked')
      expect(value()).toBe('blocked')
    },
  )
})

describe('switching it on', () => {
  test('asks the person first, and is on once the server has it', async () => {
    const { askPermission, subscribe, send, value } = await looked('off')
    expect(askPermission.asked).toHaveLength(0)
    send('push.on')
    expect(value()).toBe('asking')
    expect(subscribe.asked).toEqual([])
    await askPermission.answer('granted')
    expect(value()).toBe('subscribing')
    expect(subscribe.asked).toEqual([{ uid: UID }])
    await subscribe.answer(ok(null))
    expect(value()).toBe('on')
  })

  test('stays off when the question is left, and may be asked again', async () => {
    const { askPermission, send, value, problem } = await looked('off')
    send('push.on')
    await askPermission.answer('default')
    expect([value(), problem()]).toEqual(['off', 'dismissed'])
    send('push.on')
    expect([value(), problem()]).toEqual(['asking', null])
  })

  test('is blocked when the person refuses', async () => {
    const { askPermission, subscribe, send, value } = await looked('off')
    send('push.on')
    await askPermission.answer('denied')
    expect(value()).toBe('blocked')
    expect(subscribe.asked).toEqual([])
  })

  test('fails when the browser can not ask, and when no answer comes', async () => {
    const { askPermission, subscribe, send, value, problem } = await looked('off')
    send('push.on')
    await askPermission.fail()
    expect([value(), problem()]).toEqual(['off', 'failed'])
    send('push.on')
    await askPermission.answer('granted')
    await subscribe.fail()
    expect([value(), problem()]).toEqual(['off', 'failed'])
  })

  test('says that nobody can send to this browser', async () => {
    const { askPermission, subscribe, send, value, problem } = await looked('off')
    send('push.on')
    await askPermission.answer('granted')
    await subscribe.answer(err('noService'))
    expect([value(), problem()]).toEqual(['off', 'noService'])
  })
})

describe('switching it off', () => {
  test('is done by the device', async () => {
    const { unsubscribe, send, value, problem } = await looked('on')
    send('push.off')
    expect(value()).toBe('unsubscribing')
    await unsubscribe.answer()
    expect([value(), problem()]).toEqual(['off', null])
  })

  test('is not told as done when the browser goes on', async () => {
    const { unsubscribe, send, value, problem } = await looked('on')
    send('push.off')
    await unsubscribe.fail()
    expect([value(), problem()]).toEqual(['on', 'failed'])
    send('push.off')
    expect(problem()).toBe(null)
  })
})

test('whatever happens, the person is asked by their own press alone, and on is what the server has', async () => {
  const types: PushEvent['type'][] = ['push.on', 'push.off', 'page.shown']
  const { paths, untaken } = await walk({
    machine: pushMachine,
    input: { uid: UID },
    events: () => types.map((type) => ({ type })),
    answers: {
      look: ['unsupported', 'notInstalled', 'blocked', 'off', 'on'],
      askPermission: ['granted', 'denied', 'default'],
      subscribe: [ok(null), err('noService')],
      unsubscribe: [undefined],
    },
    invariant: ({ event, before, after, at }) => {
      if (after.matches('asking') && !before.matches('asking')) expect(event.type, at).toBe('push.on')
      if (after.matches('on') && !before.matches('on'))
        expect(['looking', 'subscribing', 'unsubscribing'], at).toContain(before.value)
      if (after.matches('subscribing') && !before.matches('subscribing'))
        expect(before.matches('asking'), at).toBe(true)
      if (after.matches('asking') || after.matches('unsubscribing'))
        expect(after.context.problem, at).toBe(null)
    },
  })
  expect(paths).toBeGreaterThan(40)
  expect(untaken).toEqual([])
})
