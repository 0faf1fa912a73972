import { afterEach, describe, expect, test } from 'vitest'
import { err, ok } from '../domain/common/result.ts'
import type { Failure } from '../domain/errors/failure.ts'
import type { PhoneOtpPurpose } from './phoneOtp.ts'
import {
  arrange,
  buildAuthFailure,
  codeSentSituation,
  createTestActor,
  initialContext,
  otherPhone,
  phone,
  type StartedActor,
  sentCode,
  stopTestActor,
  unansweredFailure,
} from './testing/phoneOtpSituations.ts'

afterEach(stopTestActor)

describe('sending a code', () => {
  test('a refused request for a code returns to the details', async () => {
    const { send, sendCode, situation } = await arrange.sendingCode()
    const failure = buildAuthFailure('phone-number-too-short')
    await sendCode.answer(err(failure))
    expect(situation()).toEqual({ ...initialContext, value: 'editing', problem: failure })
    send({ type: 'details.change', patch: { phone: otherPhone } })
    expect(situation()).toEqual({ ...initialContext, value: 'editing', phone: otherPhone })
  })

  test('a request for a code without an answer returns to the details', async () => {
    const { sendCode, situation } = await arrange.sendingCode()
    await sendCode.fail()
    expect(situation()).toEqual({ ...initialContext, value: 'editing', problem: unansweredFailure })
  })
})

describe('project-wide refusals of text messages', () => {
  const closed = { ...initialContext, value: 'editing', smsRefusal: 'project' }
  const refused = err({ kind: 'noMessages', reason: 'project' } as const)
  const expired = err(buildAuthFailure('captcha-check-failed'))

  test('a project-wide refusal stops code requests for ten minutes', async () => {
    const { clock, send, sendCode, situation } = await arrange.sendingCode({ purpose: 'signUp' })
    await sendCode.answer(refused)
    const signUp = { ...closed, purpose: 'signUp' }
    expect(situation()).toEqual(signUp)
    send({ type: 'code.request' })
    send({ type: 'number.change' })
    expect(situation()).toEqual(signUp)
    send({ type: 'details.change', patch: { phone: otherPhone } })
    send({ type: 'code.request' })
    expect(situation()).toEqual({ ...signUp, phone: otherPhone })
    clock.increment(599_999)
    expect(situation()).toEqual({ ...signUp, phone: otherPhone })
    clock.increment(1)
    expect(situation()).toEqual({ ...signUp, phone: otherPhone, smsRefusal: null })
    send({ type: 'code.request' })
    expect(sendCode.asked).toEqual([{ phone }, { phone: otherPhone }])
  })

  test('a country’s refusal leaves code requests for other numbers allowed', async () => {
    const { send, sendCode, situation } = await arrange.sendingCode({ purpose: 'signUp' })
    await sendCode.answer(err({ kind: 'noMessages', reason: 'country' }))
    send({ type: 'code.request' })
    send({ type: 'details.change', patch: { name: 'A' } })
    expect(situation()).toEqual({ ...closed, purpose: 'signUp', name: 'A', smsRefusal: 'country' })
    send({ type: 'details.change', patch: { phone: otherPhone } })
    send({ type: 'code.request' })
    expect(sendCode.asked).toEqual([{ phone }, { phone: otherPhone }])
  })

  test('a sent code outlives a project-wide refusal of text messages', async () => {
    const { clock, confirmCode, pass, send, sendCode, situation } = await arrange.enteringCode()
    pass(30)
    send({ type: 'code.resend' })
    await sendCode.answer(refused)
    const kept = { ...codeSentSituation, resendIn: 0, smsRefusal: 'project' }
    expect(situation()).toEqual(kept)
    send({ type: 'code.resend' })
    expect(situation()).toEqual(kept)
    send({ type: 'code.change', code: '123456' })
    send({ type: 'code.submit' })
    expect(confirmCode.asked).toHaveLength(1)
    await confirmCode.answer(err(buildAuthFailure('code-expired')))
    send({ type: 'code.resend' })
    expect(sendCode.asked).toHaveLength(2)
    clock.increment(600_000)
    send({ type: 'code.resend' })
    expect(sendCode.asked).toHaveLength(3)
  })

  test('two consecutive captcha rejections count as a project-wide refusal', async () => {
    const { send, sendCode, situation } = await arrange.sendingCode({ purpose: 'signUp' })
    await sendCode.answer(expired)
    expect(situation()).toMatchObject({
      value: 'editing',
      smsRefusal: null,
      problem: expired.error,
    })
    send({ type: 'code.request' })
    await sendCode.answer(expired)
    expect(situation()).toEqual({ ...closed, purpose: 'signUp' })
  })

  test.each<[string, Parameters<StartedActor['sendCode']['answer']>[0]]>([
    ['a sent code', ok({ verificationId: 'v1' })],
    ['another refusal', err(buildAuthFailure('too-many-requests'))],
  ])('two captcha rejections separated by %s are not a project-wide refusal', async (_, between) => {
    const { pass, send, sendCode, situation } = await arrange.sendingCode({ purpose: 'signUp' })
    await sendCode.answer(expired)
    send({ type: 'code.request' })
    await sendCode.answer(between)
    pass(30)
    send({ type: situation().sent ? 'code.resend' : 'code.request' })
    await sendCode.answer(expired)
    expect(situation()).toMatchObject({ smsRefusal: null, problem: expired.error })
  })
})

describe('another code', () => {
  test('another code can be requested after 30 seconds', async () => {
    const { clock, pass, send, sendCode, situation } = await arrange.enteringCode()
    clock.increment(999)
    expect(situation()).toEqual(codeSentSituation)
    clock.increment(1)
    expect(situation()).toEqual({ ...codeSentSituation, resendIn: 29 })
    pass(28)
    send({ type: 'code.resend' })
    expect(situation()).toEqual({ ...codeSentSituation, resendIn: 1 })
    pass(1)
    expect(situation()).toEqual({ ...codeSentSituation, resendIn: 0 })
    pass(10)
    send({ type: 'code.change', code: '1' })
    send({ type: 'code.resend' })
    expect(situation()).toEqual({
      ...codeSentSituation,
      value: 'sendingCode',
      code: '1',
      staleCode: '1',
      resendIn: 0,
    })
    await sendCode.answer(ok({ verificationId: 'v2' }))
    expect(situation()).toEqual({ ...codeSentSituation, sent: { verificationId: 'v2', phone } })
    expect(sendCode.asked).toEqual([{ phone }, { phone }])
    pass(1)
    expect(situation().resendIn).toBe(29)
  })

  test('a clock’s correction can shorten the wait for another code only', async () => {
    const { pass, send, situation } = await arrange.enteringCode()
    send({ type: 'resend.correct', resendIn: 12 })
    expect(situation().resendIn).toBe(12)
    send({ type: 'resend.correct', resendIn: 20 })
    expect(situation().resendIn).toBe(12)
    pass(1)
    expect(situation().resendIn).toBe(11)
    send({ type: 'resend.correct', resendIn: -90 })
    expect(situation().resendIn).toBe(0)
    pass(2)
    expect(situation()).toEqual({ ...codeSentSituation, resendIn: 0 })
  })

  test('a code typed while another one is requested stays', async () => {
    const { pass, send, sendCode, situation } = await arrange.enteringCode()
    pass(30)
    send({ type: 'code.change', code: '1' })
    send({ type: 'code.resend' })
    send({ type: 'code.change', code: '654321' })
    await sendCode.answer(ok({ verificationId: 'v2' }))
    expect(situation()).toMatchObject({ value: 'enteringCode', code: '654321' })
  })

  test('a refused request for another code leaves the former one valid', async () => {
    const { pass, send, sendCode, situation } = await arrange.enteringCode()
    pass(30)
    send({ type: 'code.change', code: '1' })
    send({ type: 'code.resend' })
    await sendCode.answer(err(buildAuthFailure('too-many-requests')))
    const kept = { ...codeSentSituation, code: '1', staleCode: '1', resendIn: 0 }
    expect(situation()).toEqual({ ...kept, problem: buildAuthFailure('too-many-requests') })
    send({ type: 'code.resend' })
    await sendCode.fail()
    expect(situation()).toEqual({ ...kept, problem: unansweredFailure })
  })

  test('the wait for another code goes on while a code is checked', async () => {
    const { pass, situation } = await arrange.verifying()
    pass(2)
    expect(situation()).toMatchObject({ value: 'verifying', resendIn: 28 })
  })

  test('the wait for another code starts again after the number was changed', async () => {
    const { checkAccount, clock, send, sendCode, situation } = await arrange.enteringCode()
    clock.increment(500)
    send({ type: 'number.change' })
    send({ type: 'code.request' })
    await checkAccount.answer('found')
    await sendCode.answer(ok({ verificationId: 'v2' }))
    clock.increment(999)
    expect(situation().resendIn).toBe(30)
    clock.increment(1)
    expect(situation().resendIn).toBe(29)
  })
})

describe('entering the code', () => {
  test.each(['', '  '])(
    'submitting the code %j shows that a code is required @spec-code-required',
    async (code) => {
      const { confirmCode, send, situation } = await arrange.enteringCode()
      send({ type: 'code.change', code })
      send({ type: 'code.submit' })
      const codeRequired = { field: 'code', kind: 'codeRequired' }
      expect(situation()).toEqual({ ...codeSentSituation, code, problems: [codeRequired] })
      expect(confirmCode.asked).toEqual([])
      send({ type: 'code.change', code: '1' })
      expect(situation()).toEqual({ ...codeSentSituation, code: '1' })
    },
  )

  test('returning from the code to the details keeps name and number', async () => {
    const { pass, send, situation } = await arrange.enteringCode({ purpose: 'signUp' })
    send({ type: 'code.change', code: '1' })
    send({ type: 'number.change' })
    expect(situation()).toEqual({ ...initialContext, value: 'editing', purpose: 'signUp' })
    pass(60)
    expect(situation()).toEqual({ ...initialContext, value: 'editing', purpose: 'signUp' })
  })

  test('only another number returns from the code to the details', async () => {
    const { send, situation } = await arrange.enteringCode()
    send({ type: 'details.change', patch: { phone } })
    expect(situation()).toEqual({ ...codeSentSituation, phone })
    send({ type: 'details.change', patch: { phone: otherPhone } })
    expect(situation()).toEqual({ ...initialContext, value: 'editing', phone: otherPhone })
  })
})

describe('checking a code', () => {
  const kept = { ...codeSentSituation, code: '123 456' }

  test('the refusal of a code stays shown while the countdown continues', async () => {
    const { confirmCode, pass, situation } = await arrange.verifying()
    const wrong = buildAuthFailure('invalid-verification-code')
    await confirmCode.answer(err(wrong))
    pass(31)
    expect(situation()).toEqual({ ...kept, resendIn: 0, problem: wrong })
  })

  test.each<[string, Failure, number]>([
    ['as wrong', buildAuthFailure('invalid-verification-code'), 30],
    ['as expired', buildAuthFailure('code-expired'), 0],
    ['as belonging to no message', buildAuthFailure('invalid-verification-id'), 0],
    ['after it was accepted', { kind: 'data', operation: 'createProfile', cause: 'other' }, 0],
    ['for the number', buildAuthFailure('credential-already-in-use'), 30],
    ['by the network', { kind: 'network' }, 30],
  ])('a code refused %s stays (problem %j), another follows after %d s', async (_, failure, resendIn) => {
    const { confirmCode, send, situation } = await arrange.verifying()
    await confirmCode.answer(err(failure))
    expect(situation()).toEqual({ ...kept, resendIn, problem: failure })
    send({ type: 'code.change', code: '654321' })
    expect(situation()).toEqual({ ...kept, resendIn, code: '654321' })
  })

  test('a code whose check has no answer stays in the form', async () => {
    const { confirmCode, situation } = await arrange.verifying()
    await confirmCode.fail()
    expect(situation()).toEqual({ ...kept, problem: unansweredFailure })
  })

  test.each<PhoneOtpPurpose>(['signIn', 'signUp'])(
    'a blocking function’s refusal leads from %s to signUp',
    async (purpose) => {
      const { confirmCode, situation } = await arrange.verifying({ purpose })
      await confirmCode.answer(err(buildAuthFailure('blocked-by-function')))
      expect(situation()).toEqual({
        ...initialContext,
        value: 'editing',
        purpose: 'signUp',
        notice: 'accountNotFound',
      })
    },
  )

  test.each<PhoneOtpPurpose>(['changeNumber', 'reauthenticate'])(
    'the phone verification for %s shows the refusal of a blocking function',
    async (purpose) => {
      const { confirmCode, situation } = await arrange.verifying({ purpose })
      await confirmCode.answer(err(buildAuthFailure('blocked-by-function')))
      expect(situation()).toEqual({ ...kept, purpose, problem: buildAuthFailure('blocked-by-function') })
    },
  )

  test('the response to a code is ignored once the number has changed', async () => {
    const { actor, confirmCode, send, situation } = await arrange.verifying()
    send({ type: 'number.change' })
    await confirmCode.answer(ok(undefined))
    expect(situation()).toEqual({ ...initialContext, value: 'editing' })
    expect(actor.getSnapshot().status).toBe('active')
  })
})

describe('a code sent before a reload', () => {
  test('a code sent before a reload can be entered and confirmed', async () => {
    const { confirmCode, pass, send, sendCode, situation } = createTestActor({ purpose: 'signUp' })
    send({ type: 'code.resume', sent: sentCode, resendIn: 12 })
    expect(situation()).toEqual({ ...codeSentSituation, purpose: 'signUp', resendIn: 12 })
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
  ])('after a reload, a wait of %i s counts as %i s', async (resendIn, left) => {
    const { pass, send, sendCode, situation } = createTestActor()
    send({ type: 'code.resume', sent: sentCode, resendIn })
    expect(situation().resendIn).toBe(left)
    pass(left)
    send({ type: 'code.resend' })
    expect(sendCode.asked).toEqual([{ phone }])
  })

  test.each(['', otherPhone, 'abc'])(
    'a code sent before a reload is ignored for number "%s"',
    async (typedNumber) => {
      const { send, situation } = createTestActor({ phone: typedNumber })
      send({
        type: 'code.resume',
        sent: typedNumber === 'abc' ? { ...sentCode, phone: 'abc' } : sentCode,
        resendIn: 5,
      })
      expect(situation()).toEqual({ ...initialContext, phone: typedNumber, value: 'editing' })
    },
  )
})
