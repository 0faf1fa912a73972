import { afterEach, describe, expect, test } from 'vitest'
import { createActor } from 'xstate'
import type { Failure } from '../domain/failure.ts'
import { checkPhone } from '../domain/phone.ts'
import { err, ok, type Result } from '../domain/result.ts'
import { type AccountAnswer, type PhoneOtpEvent, type Purpose, phoneOtpMachine } from './phoneOtp.ts'
import { settle } from './testing/fakeActor.ts'
import {
  auth,
  codeSent,
  createTestActor,
  idle,
  otherPhone,
  phone,
  reach,
  sent,
  stop,
  typed,
  unanswered,
} from './testing/phoneOtpSituations.ts'
import { type Walk, walk } from './testing/walk.ts'

afterEach(stop)

test('a sign-in from the details to the end @spec-phone-sign-in', async () => {
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
    ['reauthenticate', { name: '', phone: '612345678' }, [phoneInvalid]],
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
    send({ type: 'code.change', code: '123456' })
    expect(situation().problems).toEqual([{ field: 'name', kind: 'nameRequired' }])
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

  test('that finds none makes a sign-up of it @spec-account-not-found', async () => {
    const { checkAccount, send, sendCode, situation } = await reach.checkingAccount()
    await checkAccount.answer({ kind: 'notFound' })
    expect(situation()).toEqual({ ...signUp, notice: 'accountNotFound' })
    send({ type: 'code.request' })
    expect(situation()).toEqual({ ...signUp, value: 'sendingCode' })
    expect(sendCode.asked).toEqual([{ phone }])
  })

  test('that fails makes a sign-up of it @spec-account-check-failed', async () => {
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
