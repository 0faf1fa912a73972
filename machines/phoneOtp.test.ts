import { afterEach, describe, expect, test } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import type { AuthCode, Failure } from '../domain/failure.ts'
import { checkPhone } from '../domain/phone.ts'
import { err, ok, type Result } from '../domain/result.ts'
import {
  type AccountAnswer,
  type PhoneOtpContext,
  type PhoneOtpEvent,
  type PhoneOtpInput,
  type Purpose,
  phoneOtpMachine,
} from './phoneOtp.ts'
import { fakeActor, settle } from './testing/fakeActor.ts'
import { type Walk, walk } from './testing/walk.ts'

const typed = '+33 6 12 34 56 78'
const phone = '+33612345678'
const otherPhone = '+14165550100'
const sent = { verificationId: 'v1', phone }
const auth = (code: AuthCode) => ({ kind: 'auth', code }) as const
const refusedBy = (failure: Failure) => ({ kind: 'refused', failure }) as const
const unanswered = refusedBy({ kind: 'authOther', message: '' })

let stop = () => {}
afterEach(() => stop())

type Confirmation = { purpose: Purpose; verificationId: string; code: string; name: string; phone: string }

function createTestActor(
  input: Partial<PhoneOtpInput> = {},
  overrides: Parameters<typeof phoneOtpMachine.provide>[0]['actors'] = {},
) {
  const clock = new SimulatedClock()
  const checkAccount = fakeActor<AccountAnswer, { phone: string }>()
  const sendCode = fakeActor<Result<{ verificationId: string }, Failure>, { phone: string }>()
  const confirmCode = fakeActor<Result<void, Failure>, Confirmation>()
  const actor = createActor(
    phoneOtpMachine.provide({
      actors: {
        checkAccount: checkAccount.logic,
        sendCode: sendCode.logic,
        confirmCode: confirmCode.logic,
        ...overrides,
      },
    }),
    { clock, input: { purpose: 'signIn', name: 'Awa', phone: typed, ...input } },
  ).start()
  stop = () => actor.stop()
  return {
    actor,
    clock,
    checkAccount,
    sendCode,
    confirmCode,
    send: actor.send,
    pass: (seconds: number) => {
      for (let second = 0; second < seconds; second++) clock.increment(1_000)
    },
    situation: () => {
      const { value, context } = actor.getSnapshot()
      return { value, ...context }
    },
  }
}
type Started = ReturnType<typeof createTestActor>

/** Everything the context holds while nothing has happened. */
const idle: PhoneOtpContext = {
  purpose: 'signIn',
  name: 'Awa',
  phone: typed,
  code: '',
  problems: [],
  problem: null,
  notice: null,
  sent: null,
  resendIn: 0,
  retryIn: 0,
  noMessages: null,
  isCaptchaRefused: false,
}
const codeSent = { ...idle, value: 'enteringCode', sent, resendIn: 30 }

const reach = {
  async editing(input: Partial<PhoneOtpInput> = {}): Promise<Started> {
    return createTestActor(input)
  },
  async checkingAccount(): Promise<Started> {
    const started = createTestActor()
    started.send({ type: 'code.request' })
    return started
  },
  async sendingCode(input: Partial<PhoneOtpInput> = {}): Promise<Started> {
    const started = createTestActor(input)
    started.send({ type: 'code.request' })
    if (started.situation().purpose === 'signIn') await started.checkAccount.answer({ kind: 'found' })
    return started
  },
  async enteringCode(input: Partial<PhoneOtpInput> = {}): Promise<Started> {
    const started = await reach.sendingCode(input)
    await started.sendCode.answer(ok({ verificationId: 'v1' }))
    return started
  },
  async verifying(input: Partial<PhoneOtpInput> = {}): Promise<Started> {
    const started = await reach.enteringCode(input)
    started.send({ type: 'code.change', code: '123 456' })
    started.send({ type: 'code.submit' })
    return started
  },
}

test('a sign-in from the details to the end', async () => {
  const { actor, checkAccount, confirmCode, send, sendCode, situation } = createTestActor()
  expect(situation()).toEqual({ ...idle, value: 'editing' })

  send({ type: 'code.request' })
  expect(situation()).toEqual({ ...idle, value: 'checkingAccount' })
  expect(checkAccount.asked).toEqual([{ phone }])

  await checkAccount.answer({ kind: 'found' })
  expect(situation()).toEqual({ ...idle, value: 'sendingCode' })
  expect(sendCode.asked).toEqual([{ phone }])

  await sendCode.answer(ok({ verificationId: 'v1' }))
  expect(situation()).toEqual(codeSent)

  send({ type: 'code.change', code: '123 456' })
  send({ type: 'code.submit' })
  expect(situation()).toEqual({ ...codeSent, value: 'verifying', code: '123 456' })
  expect(confirmCode.asked).toEqual([{ purpose: 'signIn', ...sent, code: '123456', name: '' }])

  await confirmCode.answer(ok(undefined))
  expect(actor.getSnapshot()).toMatchObject({ status: 'done', value: 'done', output: { purpose: 'signIn' } })
})

test.each<[Purpose, string]>([
  ['signUp', 'Awa'],
  ['changeNumber', ''],
  ['reauthenticate', ''],
])('%s asks nobody for an account, and confirms under the name %j', async (purpose, name) => {
  const { actor, checkAccount, confirmCode } = await reach.verifying({ purpose, name: ' Awa ' })
  expect(checkAccount.asked).toEqual([])
  expect(confirmCode.asked).toEqual([{ purpose, ...sent, code: '123456', name }])
  await confirmCode.answer(ok(undefined))
  expect(actor.getSnapshot().output).toEqual({ purpose })
})

test('starts with nothing typed', () => {
  const actor = createActor(phoneOtpMachine, { input: { purpose: 'signUp' } }).start()
  expect(actor.getSnapshot().context).toEqual({ ...idle, purpose: 'signUp', name: '', phone: '' })
})

test('tells from the start why it is a sign-up, until a code is asked for', async () => {
  const { send, situation } = await reach.editing({ purpose: 'signUp', notice: 'accountNotFound' })
  expect(situation()).toEqual({ ...idle, value: 'editing', purpose: 'signUp', notice: 'accountNotFound' })
  send({ type: 'details.change', patch: { name: 'A' } })
  expect(situation().notice).toBe('accountNotFound')
  send({ type: 'code.request' })
  expect(situation()).toEqual({ ...idle, value: 'sendingCode', purpose: 'signUp', name: 'A' })
})

describe('the details', () => {
  const nameRequired = { field: 'name', kind: 'nameRequired' }
  const phoneRequired = { field: 'phone', kind: 'phoneRequired' }
  const phoneInvalid = { field: 'phone', kind: 'phoneInvalid', example: '+33123456789' }

  test.each<[Purpose, { name: string; phone: string }, object[]]>([
    ['signIn', { name: '', phone: '' }, [phoneRequired]],
    ['signIn', { name: '', phone: '0612' }, [phoneInvalid]],
    ['signUp', { name: '', phone: '' }, [nameRequired, phoneRequired]],
    ['signUp', { name: ' ', phone: typed }, [nameRequired]],
    ['signUp', { name: 'Awa', phone: '٠٦١٢٣٤٥٦٧٨' }, [phoneInvalid]],
    ['changeNumber', { name: '', phone: '' }, [phoneRequired]],
    ['reauthenticate', { name: '', phone: '0033612345678' }, [phoneInvalid]],
  ])('of %s are explained in the order of the fields: %j', async (purpose, details, problems) => {
    const { checkAccount, send, sendCode, situation } = await reach.editing({ purpose, ...details })
    send({ type: 'code.request' })
    expect(situation()).toEqual({ ...idle, value: 'editing', purpose, ...details, problems })
    expect([...checkAccount.asked, ...sendCode.asked]).toEqual([])
  })

  test('take back what was wrong with each when it is changed', async () => {
    const { send, situation } = await reach.editing({ purpose: 'signUp', name: '', phone: '' })
    send({ type: 'code.request' })
    send({ type: 'details.change', patch: { phone: '+' } })
    expect(situation()).toMatchObject({ name: '', phone: '+', problems: [nameRequired] })
    send({ type: 'details.change', patch: { name: 'A' } })
    expect(situation()).toMatchObject({ name: 'A', phone: '+', problems: [] })
  })

  test('are gone on with once they are right', async () => {
    const { send, situation } = await reach.editing({ phone: '' })
    send({ type: 'code.request' })
    send({ type: 'details.change', patch: { phone: typed } })
    send({ type: 'code.request' })
    expect(situation()).toEqual({ ...idle, value: 'checkingAccount' })
  })

  test('hold no code to be checked', async () => {
    const { confirmCode, send, situation } = await reach.editing()
    const noCode = { field: 'code', kind: 'noCode' }
    send({ type: 'code.change', code: '123456' })
    send({ type: 'code.submit' })
    expect(situation()).toEqual({ ...idle, value: 'editing', code: '123456', problems: [noCode] })
    expect(confirmCode.asked).toEqual([])
    send({ type: 'code.change', code: '' })
    expect(situation()).toEqual({ ...idle, value: 'editing' })
  })
})

describe('the choice between signing in and signing up', () => {
  test('keeps what was typed and clears what was said', async () => {
    const { send, situation } = await reach.editing({ phone: '' })
    send({ type: 'code.request' })
    send({ type: 'purpose.choose', purpose: 'signUp' })
    expect(situation()).toEqual({ ...idle, value: 'editing', purpose: 'signUp', phone: '' })
    send({ type: 'purpose.choose', purpose: 'signIn' })
    expect(situation()).toEqual({ ...idle, value: 'editing', phone: '' })
  })

  test('of what already is changes nothing', async () => {
    const { checkAccount, send, situation } = await reach.checkingAccount()
    await checkAccount.answer({ kind: 'notFound' })
    const before = situation()
    send({ type: 'purpose.choose', purpose: 'signUp' })
    expect(situation()).toEqual(before)
  })

  test('after the code was sent keeps the code, and asks for the name', async () => {
    const { confirmCode, send, situation } = await reach.enteringCode({ name: '' })
    send({ type: 'code.change', code: '123456' })
    send({ type: 'purpose.choose', purpose: 'signUp' })
    send({ type: 'code.submit' })
    expect(situation()).toEqual({
      ...codeSent,
      purpose: 'signUp',
      name: '',
      code: '123456',
      problems: [{ field: 'name', kind: 'nameRequired' }],
    })
    send({ type: 'details.change', patch: { name: 'Awa' } })
    send({ type: 'code.submit' })
    expect(situation()).toEqual({ ...codeSent, value: 'verifying', purpose: 'signUp', code: '123456' })
    expect(confirmCode.asked).toEqual([{ purpose: 'signUp', ...sent, code: '123456', name: 'Awa' }])
  })

  test.each<Purpose>(['changeNumber', 'reauthenticate'])('is not there to %s', async (purpose) => {
    const editing = await reach.editing({ purpose })
    editing.send({ type: 'purpose.choose', purpose: 'signIn' })
    expect(editing.situation().purpose).toBe(purpose)
    stop()
    const entering = await reach.enteringCode({ purpose })
    entering.send({ type: 'purpose.choose', purpose: 'signUp' })
    expect(entering.situation().purpose).toBe(purpose)
  })
})

describe('the account check', () => {
  const signUp = { ...idle, value: 'editing', purpose: 'signUp' }

  test('that finds none makes a sign-up of it', async () => {
    const { checkAccount, send, sendCode, situation } = await reach.checkingAccount()
    await checkAccount.answer({ kind: 'notFound' })
    expect(situation()).toEqual({ ...signUp, notice: 'accountNotFound' })
    send({ type: 'code.request' })
    expect(situation()).toEqual({ ...signUp, value: 'sendingCode' })
    expect(sendCode.asked).toEqual([{ phone }])
  })

  test('that fails makes a sign-up of it', async () => {
    const { checkAccount, situation } = await reach.checkingAccount()
    await checkAccount.fail()
    expect(situation()).toEqual({ ...signUp, notice: 'checkFailed' })
  })

  test('that hangs makes a sign-up of it after 20 seconds', async () => {
    const { checkAccount, clock, sendCode, situation } = await reach.checkingAccount()
    clock.increment(19_999)
    expect(situation()).toEqual({ ...idle, value: 'checkingAccount' })
    clock.increment(1)
    expect(situation()).toEqual({ ...signUp, notice: 'checkFailed' })
    await checkAccount.answer({ kind: 'found' })
    expect(sendCode.asked).toEqual([])
  })

  test('that is limited says when to try again, second by second', async () => {
    const { checkAccount, clock, pass, send, situation } = await reach.checkingAccount()
    await checkAccount.answer({ kind: 'limited', retryAfterSeconds: 600 })
    const limited = { ...idle, value: 'editing', problem: { kind: 'tooManyChecks' }, retryIn: 600 }
    expect(situation()).toEqual(limited)
    clock.increment(999)
    expect(situation()).toEqual(limited)
    clock.increment(1)
    expect(situation()).toEqual({ ...limited, retryIn: 599 })
    pass(598)
    expect(situation()).toEqual({ ...limited, retryIn: 1 })
    send({ type: 'code.request' })
    expect(situation()).toEqual({ ...limited, retryIn: 1 })
    pass(1)
    expect(situation()).toEqual({ ...idle, value: 'editing' })
    send({ type: 'code.request' })
    expect(situation()).toEqual({ ...idle, value: 'checkingAccount' })
    expect(checkAccount.asked).toHaveLength(2)
  })

  test('that is limited is said again when it is asked for too soon, and never hinders a sign-up', async () => {
    const { checkAccount, send, situation } = await reach.checkingAccount()
    await checkAccount.answer({ kind: 'limited', retryAfterSeconds: 600 })
    send({ type: 'details.change', patch: { phone: otherPhone } })
    expect(situation().problem).toEqual({ kind: 'tooManyChecks' })
    send({ type: 'problem.dismiss' })
    expect(situation().problem).toBe(null)
    send({ type: 'code.request' })
    expect(situation()).toMatchObject({ value: 'editing', problem: { kind: 'tooManyChecks' }, retryIn: 600 })
    send({ type: 'purpose.choose', purpose: 'signUp' })
    send({ type: 'code.request' })
    expect(situation()).toMatchObject({ value: 'sendingCode', problem: null, retryIn: 600 })
  })
})

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
  test.each(['', '  '])('asks for one: %j', async (code) => {
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

test.each(['checkingAccount', 'sendingCode', 'verifying'] as const)('%s can be left', async (state) => {
  const { actor, send, situation } = await reach[state]()
  expect(actor.getSnapshot().hasTag('busy')).toBe(true)
  send({ type: 'number.change' })
  expect(situation()).toEqual({ ...idle, value: 'editing' })
})

test('a notice can be dismissed', async () => {
  const { checkAccount, send, situation } = await reach.checkingAccount()
  await checkAccount.answer({ kind: 'notFound' })
  send({ type: 'problem.dismiss' })
  expect(situation()).toEqual({ ...idle, value: 'editing', purpose: 'signUp' })
})

test('every state accepts its own events and ignores the others', async () => {
  const events: PhoneOtpEvent[] = [
    { type: 'details.change', patch: {} },
    { type: 'purpose.choose', purpose: 'signUp' },
    { type: 'code.request' },
    { type: 'code.resume', sent, resendIn: 30 },
    { type: 'code.change', code: '1' },
    { type: 'code.submit' },
    { type: 'code.resend' },
    { type: 'number.change' },
    { type: 'problem.dismiss' },
  ]
  const found: Record<string, { accepts: string[]; tags: string[] }> = {}
  for (const [state, start] of Object.entries(reach)) {
    const snapshot = (await start()).actor.getSnapshot()
    const accepts = events.filter((event) => snapshot.can(event)).map(({ type }) => type)
    found[state] = { accepts, tags: [...snapshot.tags] }
    stop()
  }
  const inEvery = ['number.change', 'problem.dismiss']
  const busy = { accepts: inEvery, tags: ['busy'] }
  expect(found).toEqual({
    editing: {
      accepts: [
        ...['details.change', 'purpose.choose', 'code.request', 'code.resume', 'code.change', 'code.submit'],
        ...inEvery,
      ],
      tags: [],
    },
    checkingAccount: busy,
    sendingCode: busy,
    enteringCode: {
      accepts: ['details.change', 'purpose.choose', 'code.change', 'code.submit', ...inEvery],
      tags: [],
    },
    verifying: busy,
  })
})

describe('an actor that nobody provided', () => {
  const { actors } = phoneOtpMachine.implementations
  const changing = { ...idle, purpose: 'changeNumber', value: 'editing' }

  test.each<[keyof typeof actors, Purpose, object]>([
    ['checkAccount', 'signIn', { ...idle, value: 'editing', purpose: 'signUp', notice: 'checkFailed' }],
    ['sendCode', 'changeNumber', { ...changing, problem: unanswered }],
    [
      'confirmCode',
      'changeNumber',
      { ...changing, value: 'enteringCode', code: '1', sent, resendIn: 30, problem: unanswered },
    ],
  ])('%s: no success', async (name, purpose, situation) => {
    const started = createTestActor({ purpose }, { [name]: actors[name] })
    started.send({ type: 'code.request' })
    await started.sendCode.answer(ok({ verificationId: 'v1' }))
    if (name === 'confirmCode') {
      started.send({ type: 'code.change', code: '1' })
      started.send({ type: 'code.submit' })
      await settle()
    }
    expect(started.situation()).toEqual(situation)
  })
})

describe('on every path', () => {
  const events: PhoneOtpEvent[] = [
    { type: 'details.change', patch: { name: 'Awa' } },
    { type: 'details.change', patch: { phone: typed } },
    { type: 'details.change', patch: { phone: '' } },
    { type: 'purpose.choose', purpose: 'signIn' },
    { type: 'purpose.choose', purpose: 'signUp' },
    { type: 'code.request' },
    { type: 'code.resume', sent, resendIn: 2 },
    { type: 'code.change', code: '123 456' },
    { type: 'code.submit' },
    { type: 'code.resend' },
    { type: 'number.change' },
    { type: 'problem.dismiss' },
  ]
  const checks: AccountAnswer[] = [
    { kind: 'found' },
    { kind: 'notFound' },
    { kind: 'limited', retryAfterSeconds: 2 },
  ]
  const confirmations = [
    ok(undefined),
    ...(['invalid-verification-code', 'code-expired', 'blocked-by-function'] as const).map((code) =>
      err(auth(code)),
    ),
  ]
  const wrongNumber = err(auth('invalid-phone-number'))
  // Whoever comes this far has twice as many paths; those of one walk show all that can happen then.
  const isOfClosing = ({ eventType, guard }: { eventType: string; guard?: unknown }) =>
    eventType === 'messages.reopen' || /ProjectRefused|MessagesClosed/.test(JSON.stringify(guard ?? ''))
  const walkAs = (
    purpose: Purpose,
    sending: readonly Result<{ verificationId: string }, Failure>[],
    invariant: Walk<typeof phoneOtpMachine>['invariant'],
  ) =>
    walk({
      machine: phoneOtpMachine,
      input: { purpose },
      events: (snapshot) => events.filter((event) => snapshot.can(event)),
      answers: {
        checkAccount: checks,
        sendCode: [ok({ verificationId: 'v1' }), ...sending],
        confirmCode: confirmations,
      },
      blur: ({ resendIn, retryIn, problem, notice, ...context }) => ({
        ...context,
        isCounting: [resendIn > 0, retryIn > 0],
        isTold: [problem?.kind, notice !== null],
      }),
      invariant,
    })

  test('to sign in or up, nothing typed is lost and only a confirmed code ends it', async () => {
    const { untaken } = await walkAs('signIn', [wrongNumber], ({ event, before, after, asked, at }) => {
      const { context } = after
      const patch = event.type === 'details.change' ? event.patch : {}
      const { name, phone: number } = { ...before.context, ...patch }
      expect({ name: context.name, phone: context.phone }, at).toEqual({ name, phone: number })

      const isInForm = after.matches('editing') || after.matches('checkingAccount')
      if (isInForm) expect(context.sent, at).toBe(null)
      if (context.sent) expect(checkPhone(context.phone), at).toEqual(ok(context.sent.phone))
      if (after.matches('verifying'))
        expect(asked.at(-1), at).toMatchObject({ src: 'confirmCode', input: sent })
      if (before.matches('checkingAccount') && after.matches('sendingCode'))
        expect(event.output, at).toEqual({ kind: 'found' })
      if (after.status === 'done')
        expect([before.value, event.output], at).toEqual(['verifying', ok(undefined)])

      expect(Object.keys(after.children), at).toHaveLength(after.hasTag('busy') ? 1 : 0)
      if (context.problem?.kind === 'tooManyChecks') expect(context.retryIn, at).toBeGreaterThan(0)
    })
    expect(untaken.filter((transition) => !isOfClosing(transition))).toEqual([])
  })

  test('to change the number, no account is checked, it stays at that, and no message is asked for in vain', async () => {
    const sending = [wrongNumber, err({ kind: 'noMessages', reason: 'project' } as const)]
    const { paths, untaken } = await walkAs('changeNumber', sending, ({ before, after, asked, at }) => {
      const { context } = after
      if (before.context.noMessages !== null) expect(after.matches('sendingCode'), at).toBe(false)
      expect([context.purpose, context.notice], at).toEqual(['changeNumber', null])
      expect(asked, at).not.toContainEqual(expect.objectContaining({ src: 'checkAccount' }))
    })
    expect(paths).toBeGreaterThan(100)
    expect(untaken.filter(isOfClosing)).toEqual([])
  })
})
