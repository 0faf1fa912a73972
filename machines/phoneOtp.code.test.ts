import { afterEach, describe, expect, test } from 'vitest'
import type { Failure } from '../domain/failure.ts'
import { err, ok } from '../domain/result.ts'
import type { Purpose } from './phoneOtp.ts'
import {
  auth,
  codeSent,
  createTestActor,
  idle,
  otherPhone,
  phone,
  reach,
  refusedBy,
  type Started,
  sent,
  stop,
  unanswered,
} from './testing/phoneOtpSituations.ts'

afterEach(stop)

describe('sending a code', () => {
  test('that is refused leads back to the details', async () => {
    const { send, sendCode, situation } = await reach.sendingCode()
    const failure = auth('phone-number-too-short')
    await sendCode.answer(err(failure))
    expect(situation()).toEqual({ ...idle, value: 'editing', problem: refusedBy(failure) })
    send({ type: 'details.change', patch: { phone: otherPhone } })
    expect(situation()).toEqual({ ...idle, value: 'editing', phone: otherPhone })
  })

  test('that gets no answer leads back to the details', async () => {
    const { sendCode, situation } = await reach.sendingCode()
    await sendCode.fail()
    expect(situation()).toEqual({ ...idle, value: 'editing', problem: unanswered })
  })
})

describe('messages that the service refuses for reasons of the project', () => {
  const closed = { ...idle, value: 'editing', noMessages: 'project' }
  const refused = err({ kind: 'noMessages', reason: 'project' } as const)
  const expired = err(auth('captcha-check-failed'))

  test('are not asked for again, by whatever number, until ten minutes have passed', async () => {
    const { clock, send, sendCode, situation } = await reach.sendingCode({ purpose: 'signUp' })
    await sendCode.answer(refused)
    const signUp = { ...closed, purpose: 'signUp' }
    expect(situation()).toEqual(signUp)
    send({ type: 'code.request' })
    send({ type: 'number.change' })
    send({ type: 'problem.dismiss' })
    expect(situation()).toEqual(signUp)
    send({ type: 'details.change', patch: { phone: otherPhone } })
    send({ type: 'code.request' })
    expect(situation()).toEqual({ ...signUp, phone: otherPhone })
    clock.increment(599_999)
    expect(situation()).toEqual({ ...signUp, phone: otherPhone })
    clock.increment(1)
    expect(situation()).toEqual({ ...signUp, phone: otherPhone, noMessages: null })
    send({ type: 'code.request' })
    expect(sendCode.asked).toEqual([{ phone }, { phone: otherPhone }])
  })

  test('are asked for again for a number of another country', async () => {
    const { send, sendCode, situation } = await reach.sendingCode({ purpose: 'signUp' })
    await sendCode.answer(err({ kind: 'noMessages', reason: 'country' }))
    send({ type: 'code.request' })
    send({ type: 'details.change', patch: { name: 'A' } })
    expect(situation()).toEqual({ ...closed, purpose: 'signUp', name: 'A', noMessages: 'country' })
    send({ type: 'details.change', patch: { phone: otherPhone } })
    send({ type: 'code.request' })
    expect(sendCode.asked).toEqual([{ phone }, { phone: otherPhone }])
  })

  test('do not take away the code that is there, which has no other after it', async () => {
    const { clock, confirmCode, pass, send, sendCode, situation } = await reach.enteringCode()
    pass(30)
    send({ type: 'code.resend' })
    await sendCode.answer(refused)
    const kept = { ...codeSent, resendIn: 0, noMessages: 'project' }
    expect(situation()).toEqual(kept)
    send({ type: 'code.resend' })
    expect(situation()).toEqual(kept)
    send({ type: 'code.change', code: '123456' })
    send({ type: 'code.submit' })
    expect(confirmCode.asked).toHaveLength(1)
    await confirmCode.answer(err(auth('code-expired')))
    send({ type: 'code.resend' })
    expect(sendCode.asked).toHaveLength(2)
    clock.increment(600_000)
    send({ type: 'code.resend' })
    expect(sendCode.asked).toHaveLength(3)
  })

  test('are those whose captcha is refused twice in a row: one more is worth a try, two are not', async () => {
    const { send, sendCode, situation } = await reach.sendingCode({ purpose: 'signUp' })
    await sendCode.answer(expired)
    expect(situation()).toMatchObject({
      value: 'editing',
      noMessages: null,
      problem: refusedBy(expired.error),
    })
    send({ type: 'code.request' })
    await sendCode.answer(expired)
    expect(situation()).toEqual({ ...closed, purpose: 'signUp' })
  })

  test.each<[string, Parameters<Started['sendCode']['answer']>[0]]>([
    ['a code that came', ok({ verificationId: 'v1' })],
    ['another refusal', err(auth('too-many-requests'))],
  ])('are not those whose captcha was refused before %s', async (_, between) => {
    const { pass, send, sendCode, situation } = await reach.sendingCode({ purpose: 'signUp' })
    await sendCode.answer(expired)
    send({ type: 'code.request' })
    await sendCode.answer(between)
    pass(30)
    send({ type: situation().sent ? 'code.resend' : 'code.request' })
    await sendCode.answer(expired)
    expect(situation()).toMatchObject({ noMessages: null, problem: refusedBy(expired.error) })
  })
})

describe('another code', () => {
  test('can be asked for after 30 seconds', async () => {
    const { clock, pass, send, sendCode, situation } = await reach.enteringCode()
    clock.increment(999)
    expect(situation()).toEqual(codeSent)
    clock.increment(1)
    expect(situation()).toEqual({ ...codeSent, resendIn: 29 })
    pass(28)
    send({ type: 'code.resend' })
    expect(situation()).toEqual({ ...codeSent, resendIn: 1 })
    pass(1)
    expect(situation()).toEqual({ ...codeSent, resendIn: 0 })
    pass(10)
    send({ type: 'code.change', code: '1' })
    send({ type: 'code.resend' })
    expect(situation()).toEqual({ ...codeSent, value: 'sendingCode', code: '1', resendIn: 0 })
    await sendCode.answer(ok({ verificationId: 'v2' }))
    expect(situation()).toEqual({ ...codeSent, sent: { verificationId: 'v2', phone } })
    expect(sendCode.asked).toEqual([{ phone }, { phone }])
    pass(1)
    expect(situation().resendIn).toBe(29)
  })

  test('that is refused leaves the former one to be entered', async () => {
    const { pass, send, sendCode, situation } = await reach.enteringCode()
    pass(30)
    send({ type: 'code.change', code: '1' })
    send({ type: 'code.resend' })
    await sendCode.answer(err(auth('too-many-requests')))
    const kept = { ...codeSent, code: '1', resendIn: 0 }
    expect(situation()).toEqual({ ...kept, problem: refusedBy(auth('too-many-requests')) })
    send({ type: 'code.resend' })
    await sendCode.fail()
    expect(situation()).toEqual({ ...kept, problem: unanswered })
  })

  test('is counted at the same pace while the code is checked, and while a limit is counted', async () => {
    const { checkAccount, pass, send, sendCode, situation } = await reach.checkingAccount()
    await checkAccount.answer({ kind: 'limited', retryAfterSeconds: 600 })
    send({ type: 'purpose.choose', purpose: 'signUp' })
    send({ type: 'code.request' })
    pass(1)
    expect(situation().retryIn).toBe(599)
    await sendCode.answer(ok({ verificationId: 'v1' }))
    send({ type: 'code.change', code: '1' })
    send({ type: 'code.submit' })
    pass(2)
    expect(situation()).toMatchObject({ value: 'verifying', retryIn: 597, resendIn: 28 })
  })

  test('that was given up does not hurry the count of a limit', async () => {
    const { checkAccount, pass, send, situation } = await reach.enteringCode()
    send({ type: 'number.change' })
    send({ type: 'code.request' })
    await checkAccount.answer({ kind: 'limited', retryAfterSeconds: 600 })
    pass(2)
    expect(situation().retryIn).toBe(598)
  })
})

describe('entering the code', () => {
  test.each(['', '  '])('asks for one: %j @spec-code-required', async (code) => {
    const { confirmCode, send, situation } = await reach.enteringCode()
    send({ type: 'code.change', code })
    send({ type: 'code.submit' })
    const codeRequired = { field: 'code', kind: 'codeRequired' }
    expect(situation()).toEqual({ ...codeSent, code, problems: [codeRequired] })
    expect(confirmCode.asked).toEqual([])
    send({ type: 'code.change', code: '1' })
    expect(situation()).toEqual({ ...codeSent, code: '1' })
  })

  test('can be left for the details, with all that was typed', async () => {
    const { pass, send, situation } = await reach.enteringCode({ purpose: 'signUp' })
    send({ type: 'code.change', code: '1' })
    send({ type: 'number.change' })
    expect(situation()).toEqual({ ...idle, value: 'editing', purpose: 'signUp' })
    pass(60)
    expect(situation()).toEqual({ ...idle, value: 'editing', purpose: 'signUp' })
  })

  test('is over when another number is typed, but not when the same is written otherwise', async () => {
    const { send, situation } = await reach.enteringCode()
    send({ type: 'details.change', patch: { phone } })
    expect(situation()).toEqual({ ...codeSent, phone })
    send({ type: 'details.change', patch: { phone: otherPhone } })
    expect(situation()).toEqual({ ...idle, value: 'editing', phone: otherPhone })
  })
})

describe('a code that is checked', () => {
  const kept = { ...codeSent, code: '123 456' }

  test('and refused is said for as long as nothing is typed, while the seconds pass', async () => {
    const { confirmCode, pass, situation } = await reach.verifying()
    const wrong = auth('invalid-verification-code')
    await confirmCode.answer(err(wrong))
    pass(31)
    expect(situation()).toEqual({ ...kept, resendIn: 0, problem: refusedBy(wrong) })
  })

  test.each<[string, Failure, number]>([
    ['as wrong', auth('invalid-verification-code'), 30],
    ['as expired', auth('code-expired'), 0],
    ['as of no known message', auth('invalid-verification-id'), 0],
    ['after it was accepted', { kind: 'data', operation: 'createProfile', cause: 'other' }, 0],
    ['for the number', auth('credential-already-in-use'), 30],
    ['by the network', { kind: 'network' }, 30],
  ])('and refused %s is kept: %j, then %d s until another one', async (_, failure, resendIn) => {
    const { confirmCode, send, situation } = await reach.verifying()
    await confirmCode.answer(err(failure))
    expect(situation()).toEqual({ ...kept, resendIn, problem: refusedBy(failure) })
    send({ type: 'code.change', code: '654321' })
    expect(situation()).toEqual({ ...kept, resendIn, code: '654321' })
  })

  test('and gets no answer is kept', async () => {
    const { confirmCode, situation } = await reach.verifying()
    await confirmCode.fail()
    expect(situation()).toEqual({ ...kept, problem: unanswered })
  })

  test.each<Purpose>(['signIn', 'signUp'])(
    'and blocked on %s means that there is no account',
    async (purpose) => {
      const { confirmCode, situation } = await reach.verifying({ purpose })
      await confirmCode.answer(err(auth('blocked-by-function')))
      expect(situation()).toEqual({ ...idle, value: 'editing', purpose: 'signUp', notice: 'accountNotFound' })
    },
  )

  test.each<Purpose>(['changeNumber', 'reauthenticate'])('and blocked on %s is refused', async (purpose) => {
    const { confirmCode, situation } = await reach.verifying({ purpose })
    await confirmCode.answer(err(auth('blocked-by-function')))
    expect(situation()).toEqual({ ...kept, purpose, problem: refusedBy(auth('blocked-by-function')) })
  })

  test('is heard no more once the number is changed', async () => {
    const { actor, confirmCode, send, situation } = await reach.verifying()
    send({ type: 'number.change' })
    await confirmCode.answer(ok(undefined))
    expect(situation()).toEqual({ ...idle, value: 'editing' })
    expect(actor.getSnapshot().status).toBe('active')
  })
})

describe('a code that was under way when the page was loaded again', () => {
  test('waits to be entered, and confirms', async () => {
    const { confirmCode, pass, send, sendCode, situation } = createTestActor({ purpose: 'signUp' })
    send({ type: 'code.resume', sent, resendIn: 12 })
    expect(situation()).toEqual({ ...codeSent, purpose: 'signUp', resendIn: 12 })
    pass(3)
    expect(situation().resendIn).toBe(9)
    send({ type: 'code.change', code: '123456' })
    send({ type: 'code.submit' })
    expect(confirmCode.asked).toEqual([
      { purpose: 'signUp', verificationId: 'v1', code: '123456', name: 'Awa', phone },
    ])
    expect(sendCode.asked).toEqual([])
  })

  test.each([
    [-5, 0],
    [0, 0],
    [90, 30],
  ])('another one can be asked for after a wait of at most 30 seconds: %i is %i', async (resendIn, left) => {
    const { pass, send, sendCode, situation } = createTestActor()
    send({ type: 'code.resume', sent, resendIn })
    expect(situation().resendIn).toBe(left)
    pass(left)
    send({ type: 'code.resend' })
    expect(sendCode.asked).toEqual([{ phone }])
  })

  test.each(['', otherPhone, 'abc'])(
    'is left alone when the number in the form is "%s"',
    async (typedNumber) => {
      const { send, situation } = createTestActor({ phone: typedNumber })
      send({
        type: 'code.resume',
        sent: typedNumber === 'abc' ? { ...sent, phone: 'abc' } : sent,
        resendIn: 5,
      })
      expect(situation()).toEqual({ ...idle, phone: typedNumber, value: 'editing' })
    },
  )
})
