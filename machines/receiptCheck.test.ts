import { afterEach, describe, expect, test } from 'vitest'
import { err, ok } from '../domain/common/result.ts'
import { type CameraProblem, type ReceiptCheckEvent, receiptCheckMachine } from './receiptCheck.ts'
import { arrange, CODE, createTestActor, FACTS, stopTestActor } from './testing/receiptCheckSituations.ts'
import { walk } from './testing/walk.ts'

afterEach(stopTestActor)

describe('a check with the camera', () => {
  test('a read code closes the camera and is verified', async () => {
    const { send, value, camera, verifyCode, context } = arrange.looking()
    send({ type: 'code.read', text: CODE })
    expect([value(), camera.closed, verifyCode.asked]).toEqual(['verifying', 1, [{ text: CODE }]])
    await verifyCode.answer(ok(FACTS))
    expect([value(), context().facts]).toEqual(['genuine', FACTS])
  })

  test.each<CameraProblem | 'notLoaded'>(['refused', 'missing', 'failed', 'notLoaded'])(
    'the problem %s of the camera leaves the choice of a picture',
    (problem) => {
      const { send, value, context } = arrange.opening()
      send({ type: 'camera.failed', problem })
      expect([value(), context().problem]).toEqual(['choosing', problem])
      send({ type: 'picture.choose' })
      expect([value(), context().problem]).toEqual(['readingPicture', null])
    },
  )

  test('the user gets a hint after eight seconds without a code', () => {
    const { pass, value } = arrange.looking()
    pass(7999)
    expect(value()).toEqual({ scanning: 'looking' })
    pass(1)
    expect(value()).toEqual({ scanning: 'hinting' })
  })

  test('the torch is switched only if the camera has one', () => {
    const { send, camera, context } = arrange.looking()
    send({ type: 'torch.toggle' })
    expect([context().torch, camera.commands]).toEqual(['on', ['torch.toggle']])
    send({ type: 'torch.toggle' })
    expect(context().torch).toBe('off')
    const without = arrange.looking(false)
    without.send({ type: 'torch.toggle' })
    expect([without.context().torch, without.camera.commands]).toEqual([null, []])
  })

  test('stopping closes the camera, and a second press does not open it twice', () => {
    const { send, value, camera } = arrange.looking()
    send({ type: 'camera.start' })
    expect(camera).toMatchObject({ opened: 1, closed: 0 })
    send({ type: 'camera.stop' })
    expect([value(), camera.closed]).toEqual(['choosing', 1])
  })
})

describe('a check of a picture', () => {
  test('the code of a picture is verified', async () => {
    const { readPicture, verifyCode, value } = arrange.readingPicture()
    expect(readPicture.asked).toHaveLength(1)
    await readPicture.answer(ok(CODE))
    expect([value(), verifyCode.asked]).toEqual(['verifying', [{ text: CODE }]])
  })

  test.each(['noCode', 'unreadable'] as const)(
    'a picture with the problem %s is named so',
    async (problem) => {
      const { readPicture, value, context } = arrange.readingPicture()
      await readPicture.answer(err(problem))
      expect([value(), context().problem]).toEqual(['choosing', problem])
    },
  )

  test('missing code of the app is not called a bad picture', async () => {
    const { readPicture, context } = arrange.readingPicture()
    await readPicture.fail()
    expect(context().problem).toBe('notLoaded')
  })
})

describe('the verdict', () => {
  test('a page opened at a code’s address verifies it at once', () => {
    const { value, verifyCode } = createTestActor({ text: CODE })
    expect([value(), verifyCode.asked]).toEqual(['verifying', [{ text: CODE }]])
  })

  test('a refused code shows no facts, and another one can be checked', async () => {
    const { send, value, context } = await arrange.refused({ kind: 'unknownKey' })
    expect([value(), context().refusal, context().facts]).toEqual(['refused', { kind: 'unknownKey' }, null])
    send({ type: 'check.restart' })
    expect([value(), context().refusal]).toEqual(['choosing', null])
  })

  test('a check that fails calls the receipt neither genuine nor altered', async () => {
    const { value, verifyCode, context } = arrange.verifying()
    await verifyCode.fail()
    expect([value(), context().problem]).toEqual(['choosing', 'notLoaded'])
  })
})

test.each([null, CODE])('only a verified signature makes a receipt genuine (address: %s)', (text) => {
  const events: readonly ReceiptCheckEvent[] = [
    { type: 'camera.start' },
    { type: 'camera.stop' },
    { type: 'camera.opened', hasTorch: true },
    { type: 'camera.opened', hasTorch: false },
    { type: 'camera.failed', problem: 'refused' },
    { type: 'torch.toggle' },
    { type: 'code.read', text: CODE },
    { type: 'picture.choose' },
    { type: 'check.restart' },
  ]
  const { paths, untaken } = walk({
    machine: receiptCheckMachine,
    input: { text },
    events: () => events,
    answers: {
      readPicture: [ok(CODE), err('noCode')],
      verifyCode: [ok(FACTS), err({ kind: 'altered' })],
    },
    invariant: ({ before, after, at }) => {
      if (after.matches('genuine') && !before.matches('genuine'))
        expect(before.matches('verifying'), at).toBe(true)
      expect(after.matches('genuine'), at).toBe(after.context.facts !== null)
      expect(after.matches('refused'), at).toBe(after.context.refusal !== null)
    },
  })
  expect(paths).toBeGreaterThan(40)
  // Each walk takes one of the two first transitions.
  expect(untaken.filter(({ from }) => !from.includes('deciding'))).toEqual([])
})
