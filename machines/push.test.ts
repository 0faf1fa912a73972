import { afterEach, describe, expect, test } from 'vitest'
import { err, ok } from '../domain/common/result.ts'
import { type PushEvent, type PushState, pushMachine } from './push.ts'
import { createTestActor, startInState, stopTestActor, UID } from './testing/pushSituations.ts'
import { walk } from './testing/walk.ts'

afterEach(stopTestActor)

describe('the state of the notifications', () => {
  test.each<PushState>(['unsupported', 'notInstalled', 'blocked', 'off', 'on'])(
    'the notification setting shows the state %s of the device',
    async (standing) => {
      const { readState, value, isBusy } = createTestActor()
      expect(isBusy()).toBe(true)
      await readState.answer(standing)
      expect(value()).toBe(standing)
      expect(readState.asked).toEqual([{ uid: UID }])
      expect(isBusy()).toBe(false)
    },
  )

  test('an unreadable device state shows notifications as unsupported', async () => {
    const { readState, value } = createTestActor()
    await readState.fail()
    expect(value()).toBe('unsupported')
  })

  test.each<PushState>(['blocked', 'off', 'on'])(
    'returning to the page in state %s reads the state again',
    async (standing) => {
      const { readState, send, value } = await startInState(standing)
      send('page.shown')
      expect(value()).toBe('checking')
      await readState.answer('blocked')
      expect(value()).toBe('blocked')
    },
  )
})

describe('switching notifications on', () => {
  test('switching on asks the user and ends at the server’s endpoint', async () => {
    const { askPermission, subscribe, send, value } = await startInState('off')
    expect(askPermission.asked).toHaveLength(0)
    send('push.enable')
    expect(value()).toBe('asking')
    expect(subscribe.asked).toEqual([])
    await askPermission.answer('granted')
    expect(value()).toBe('subscribing')
    expect(subscribe.asked).toEqual([{ uid: UID }])
    await subscribe.answer(ok(null))
    expect(value()).toBe('on')
  })

  test('notifications stay off after a dismissed prompt, and can be retried', async () => {
    const { askPermission, send, value, problem } = await startInState('off')
    send('push.enable')
    await askPermission.answer('default')
    expect([value(), problem()]).toEqual(['off', 'dismissed'])
    send('push.enable')
    expect([value(), problem()]).toEqual(['asking', null])
  })

  test('notifications become blocked if the user refuses', async () => {
    const { askPermission, subscribe, send, value } = await startInState('off')
    send('push.enable')
    await askPermission.answer('denied')
    expect(value()).toBe('blocked')
    expect(subscribe.asked).toEqual([])
  })

  test('switching on fails without the browser’s prompt or the server’s answer', async () => {
    const { askPermission, subscribe, send, value, problem } = await startInState('off')
    send('push.enable')
    await askPermission.fail()
    expect([value(), problem()]).toEqual(['off', 'failed'])
    send('push.enable')
    await askPermission.answer('granted')
    await subscribe.fail()
    expect([value(), problem()]).toEqual(['off', 'failed'])
  })

  test('switching notifications on reports a browser whose push service is not supported', async () => {
    const { askPermission, subscribe, send, value, problem } = await startInState('off')
    send('push.enable')
    await askPermission.answer('granted')
    await subscribe.answer(err('noService'))
    expect([value(), problem()]).toEqual(['off', 'noService'])
  })
})

describe('switching notifications off', () => {
  test('switching notifications off unsubscribes the device', async () => {
    const { unsubscribe, send, value, problem } = await startInState('on')
    send('push.disable')
    expect(value()).toBe('unsubscribing')
    await unsubscribe.answer()
    expect([value(), problem()]).toEqual(['off', null])
  })

  test('notifications stay on if the browser can’t unsubscribe', async () => {
    const { unsubscribe, send, value, problem } = await startInState('on')
    send('push.disable')
    await unsubscribe.fail()
    expect([value(), problem()]).toEqual(['on', 'failed'])
    send('push.disable')
    expect(problem()).toBe(null)
  })
})

test('only a press asks, and only the server’s endpoint switches on', () => {
  const types: PushEvent['type'][] = ['push.enable', 'push.disable', 'page.shown']
  const { paths, untaken } = walk({
    machine: pushMachine,
    input: { uid: UID },
    events: () => types.map((type) => ({ type })),
    answers: {
      readState: ['unsupported', 'notInstalled', 'blocked', 'off', 'on'],
      askPermission: ['granted', 'denied', 'default'],
      subscribe: [ok(null), err('noService'), err('serviceOff')],
      unsubscribe: [undefined],
    },
    invariant: ({ event, before, after, at }) => {
      if (after.matches('asking') && !before.matches('asking')) expect(event.type, at).toBe('push.enable')
      if (after.matches('on') && !before.matches('on'))
        expect(['checking', 'subscribing', 'unsubscribing'], at).toContain(before.value)
      if (after.matches('subscribing') && !before.matches('subscribing'))
        expect(before.matches('asking'), at).toBe(true)
      if (after.matches('asking') || after.matches('unsubscribing'))
        expect(after.context.problem, at).toBe(null)
    },
  })
  expect(paths).toBeGreaterThan(40)
  expect(untaken).toEqual([])
})
