import { afterEach, describe, expect, test } from 'vitest'
import { createActor } from 'xstate'
import { err, ok, type Result } from '../domain/common/result.ts'
import type { Failure } from '../domain/errors/failure.ts'
import { checkPhone } from '../domain/numbers/phone.ts'
import {
  type AccountCheckAnswer,
  type PhoneOtpEvent,
  type PhoneOtpPurpose,
  phoneOtpMachine,
} from './phoneOtp.ts'
import { flushQueue } from './testing/fakeActor.ts'
import {
  arrange,
  buildAuthFailure,
  codeSentSituation,
  createTestActor,
  initialContext,
  otherPhone,
  phone,
  sentCode,
  stopTestActor,
  typedPhone,
  unansweredFailure,
} from './testing/phoneOtpSituations.ts'
import { type WalkSettings, walk } from './testing/walk.ts'

afterEach(stopTestActor)

test('a user signs in by phone with the details and the code @spec-phone-sign-in', async () => {
  const { actor, checkAccount, confirmCode, send, sendCode, situation } = createTestActor()
  expect(situation()).toEqual({ ...initialContext, value: 'editing' })

  send({ type: 'code.request' })
  expect(situation()).toEqual({ ...initialContext, value: 'checkingAccount' })
  expect(checkAccount.asked).toEqual([{ phone }])

  await checkAccount.answer('found')
  expect(situation()).toEqual({ ...initialContext, value: 'sendingCode' })
  expect(sendCode.asked).toEqual([{ phone }])

  await sendCode.answer(ok({ verificationId: 'v1' }))
  expect(situation()).toEqual(codeSentSituation)

  send({ type: 'code.change', code: '123 456' })
  send({ type: 'code.submit' })
  expect(situation()).toEqual({ ...codeSentSituation, value: 'verifying', code: '123 456' })
  expect(confirmCode.asked).toEqual([{ purpose: 'signIn', ...sentCode, code: '123456', name: '' }])

  await confirmCode.answer(ok(undefined))
  expect(actor.getSnapshot()).toMatchObject({ status: 'done', value: 'done', output: { purpose: 'signIn' } })
})

test.each<[PhoneOtpPurpose, string]>([
  ['signUp', 'Awa'],
  ['changeNumber', ''],
  ['reauthenticate', ''],
])('verifying for %s skips the account check, and confirms with name %j', async (purpose, name) => {
  const { actor, checkAccount, confirmCode } = await arrange.verifying({ purpose, name: ' Awa ' })
  expect(checkAccount.asked).toEqual([])
  expect(confirmCode.asked).toEqual([{ purpose, ...sentCode, code: '123456', name }])
  await confirmCode.answer(ok(undefined))
  expect(actor.getSnapshot().output).toEqual({ purpose })
})

test('the phone verification starts with an empty form', () => {
  const actor = createActor(phoneOtpMachine, { input: { purpose: 'signUp' } }).start()
  expect(actor.getSnapshot().context).toEqual({ ...initialContext, purpose: 'signUp', name: '', phone: '' })
})

test('a sign-up shows its initial reason until a code is requested', async () => {
  const { send, situation } = await arrange.editing({ purpose: 'signUp', notice: 'accountNotFound' })
  expect(situation()).toEqual({
    ...initialContext,
    value: 'editing',
    purpose: 'signUp',
    notice: 'accountNotFound',
  })
  send({ type: 'details.change', patch: { name: 'A' } })
  expect(situation().notice).toBe('accountNotFound')
  send({ type: 'code.request' })
  expect(situation()).toEqual({ ...initialContext, value: 'sendingCode', purpose: 'signUp', name: 'A' })
})

describe('the phone form', () => {
  const nameRequired = { field: 'name', kind: 'nameRequired' }
  const phoneRequired = { field: 'phone', kind: 'phoneRequired' }
  const phoneInvalid = { field: 'phone', kind: 'phoneInvalid', example: '+33123456789' }

  test.each<[PhoneOtpPurpose, { name: string; phone: string }, object[]]>([
    ['signIn', { name: '', phone: '' }, [phoneRequired]],
    ['signIn', { name: '', phone: '0612' }, [phoneInvalid]],
    ['signUp', { name: '', phone: '' }, [nameRequired, phoneRequired]],
    ['signUp', { name: ' ', phone: typedPhone }, [nameRequired]],
    ['signUp', { name: 'Awa', phone: '٠٦١٢٣٤٥٦' }, [phoneInvalid]],
    ['changeNumber', { name: '', phone: '' }, [phoneRequired]],
    ['reauthenticate', { name: '', phone: '612345678' }, [phoneInvalid]],
  ])('the phone form for %s shows the problems of %j in order', async (purpose, details, problems) => {
    const { checkAccount, send, sendCode, situation } = await arrange.editing({ purpose, ...details })
    send({ type: 'code.request' })
    expect(situation()).toEqual({ ...initialContext, value: 'editing', purpose, ...details, problems })
    expect([...checkAccount.asked, ...sendCode.asked]).toEqual([])
  })

  test('changing a field of the phone form clears its problem', async () => {
    const { send, situation } = await arrange.editing({ purpose: 'signUp', name: '', phone: '' })
    send({ type: 'code.request' })
    send({ type: 'details.change', patch: { phone: '+' } })
    expect(situation()).toMatchObject({ name: '', phone: '+', problems: [nameRequired] })
    send({ type: 'details.change', patch: { name: 'A' } })
    expect(situation()).toMatchObject({ name: 'A', phone: '+', problems: [] })
  })

  test('the phone form continues to the account check once it is valid', async () => {
    const { send, situation } = await arrange.editing({ phone: '' })
    send({ type: 'code.request' })
    send({ type: 'details.change', patch: { phone: typedPhone } })
    send({ type: 'code.request' })
    expect(situation()).toEqual({ ...initialContext, value: 'checkingAccount' })
  })

  test('a code can’t be submitted before one was sent @spec-no-code', async () => {
    const { confirmCode, send, situation } = await arrange.editing()
    const noCode = { field: 'code', kind: 'noCode' }
    send({ type: 'code.change', code: '123456' })
    send({ type: 'code.submit' })
    expect(situation()).toEqual({ ...initialContext, value: 'editing', code: '123456', problems: [noCode] })
    expect(confirmCode.asked).toEqual([])
    send({ type: 'code.change', code: '' })
    expect(situation()).toEqual({ ...initialContext, value: 'editing' })
  })
})

describe('the choice between sign-in and sign-up', () => {
  test('choosing between sign-in and sign-up keeps the input and clears the problems', async () => {
    const { send, situation } = await arrange.editing({ phone: '' })
    send({ type: 'code.request' })
    send({ type: 'purpose.choose', purpose: 'signUp' })
    expect(situation()).toEqual({ ...initialContext, value: 'editing', purpose: 'signUp', phone: '' })
    send({ type: 'purpose.choose', purpose: 'signIn' })
    expect(situation()).toEqual({ ...initialContext, value: 'editing', phone: '' })
  })

  test('choosing the current purpose again changes nothing', async () => {
    const { checkAccount, send, situation } = await arrange.checkingAccount()
    await checkAccount.answer('notFound')
    const before = situation()
    send({ type: 'purpose.choose', purpose: 'signUp' })
    expect(situation()).toEqual(before)
  })

  test('choosing sign-up keeps a sent code, and requires the name', async () => {
    const { confirmCode, send, situation } = await arrange.enteringCode({ name: '' })
    send({ type: 'code.change', code: '123456' })
    send({ type: 'purpose.choose', purpose: 'signUp' })
    send({ type: 'code.submit' })
    expect(situation()).toEqual({
      ...codeSentSituation,
      purpose: 'signUp',
      name: '',
      code: '123456',
      problems: [{ field: 'name', kind: 'nameRequired' }],
    })
    send({ type: 'code.change', code: '123456' })
    expect(situation().problems).toEqual([{ field: 'name', kind: 'nameRequired' }])
    send({ type: 'details.change', patch: { name: 'Awa' } })
    send({ type: 'code.submit' })
    expect(situation()).toEqual({
      ...codeSentSituation,
      value: 'verifying',
      purpose: 'signUp',
      code: '123456',
    })
    expect(confirmCode.asked).toEqual([{ purpose: 'signUp', ...sentCode, code: '123456', name: 'Awa' }])
  })

  test.each<PhoneOtpPurpose>(['changeNumber', 'reauthenticate'])(
    'the choice between sign-in and sign-up is not offered to %s',
    async (purpose) => {
      const editing = await arrange.editing({ purpose })
      editing.send({ type: 'purpose.choose', purpose: 'signIn' })
      expect(editing.situation().purpose).toBe(purpose)
      stopTestActor()
      const entering = await arrange.enteringCode({ purpose })
      entering.send({ type: 'purpose.choose', purpose: 'signUp' })
      expect(entering.situation().purpose).toBe(purpose)
    },
  )
})

describe('the account check', () => {
  const signUp = { ...initialContext, value: 'editing', purpose: 'signUp' }

  test('the account check switches to sign-up if it finds no account @spec-account-not-found', async () => {
    const { checkAccount, send, sendCode, situation } = await arrange.checkingAccount()
    await checkAccount.answer('notFound')
    expect(situation()).toEqual({ ...signUp, notice: 'accountNotFound' })
    send({ type: 'code.request' })
    expect(situation()).toEqual({ ...signUp, value: 'sendingCode' })
    expect(sendCode.asked).toEqual([{ phone }])
  })

  test('the account check switches to sign-up if it fails @spec-account-check-failed', async () => {
    const { checkAccount, situation } = await arrange.checkingAccount()
    await checkAccount.fail()
    expect(situation()).toEqual({ ...signUp, notice: 'checkFailed' })
  })

  test('the account check switches to sign-up after 20 seconds without an answer', async () => {
    const { checkAccount, clock, sendCode, situation } = await arrange.checkingAccount()
    clock.increment(19_999)
    expect(situation()).toEqual({ ...initialContext, value: 'checkingAccount' })
    clock.increment(1)
    expect(situation()).toEqual({ ...signUp, notice: 'checkFailed' })
    await checkAccount.answer('found')
    expect(sendCode.asked).toEqual([])
  })

  test('a limited account check leaves the text message possible @spec-account-check-failed', async () => {
    const { checkAccount, sendCode, situation } = await arrange.checkingAccount()
    await checkAccount.answer('limited')
    expect(situation()).toEqual({ ...initialContext, value: 'sendingCode' })
    expect(sendCode.asked).toEqual([{ phone }])
  })
})

test.each(['checkingAccount', 'sendingCode', 'verifying'] as const)(
  'changing the number returns from %s to the form',
  async (state) => {
    const { actor, send, situation } = await arrange[state]()
    expect(actor.getSnapshot().hasTag('busy')).toBe(true)
    send({ type: 'number.change' })
    expect(situation()).toEqual({ ...initialContext, value: 'editing' })
  },
)

test.each(['checkingAccount', 'sendingCode', 'verifying'] as const)(
  'the input typed in %s stays, and another number returns to the form',
  async (state) => {
    const { send, situation } = await arrange[state]()
    send({ type: 'details.change', patch: { name: 'Awa Diallo', phone } })
    expect(situation()).toMatchObject({ value: state, name: 'Awa Diallo', phone })
    send({ type: 'details.change', patch: { phone: otherPhone } })
    expect(situation()).toMatchObject({ value: 'editing', phone: otherPhone, sent: null })
  },
)

test('the phone verification accepts exactly the expected events in every state', async () => {
  const events: PhoneOtpEvent[] = [
    { type: 'purpose.choose', purpose: 'signUp' },
    { type: 'code.request' },
    { type: 'code.resume', sent: sentCode, resendIn: 30 },
    { type: 'code.submit' },
    { type: 'code.resend' },
    { type: 'details.change', patch: {} },
    { type: 'code.change', code: '1' },
    { type: 'number.change' },
    { type: 'resend.correct', resendIn: 0 },
  ]
  const found: Record<string, { accepts: string[]; tags: string[] }> = {}
  for (const [state, start] of Object.entries(arrange)) {
    const snapshot = (await start()).actor.getSnapshot()
    const accepts = events.filter((event) => snapshot.can(event)).map(({ type }) => type)
    found[state] = { accepts, tags: [...snapshot.tags] }
    stopTestActor()
  }
  const inEvery = ['details.change', 'code.change', 'number.change', 'resend.correct']
  const busy = { accepts: inEvery, tags: ['busy'] }
  expect(found).toEqual({
    editing: {
      accepts: ['purpose.choose', 'code.request', 'code.resume', 'code.submit', ...inEvery],
      tags: [],
    },
    checkingAccount: busy,
    sendingCode: busy,
    enteringCode: { accepts: ['purpose.choose', 'code.submit', ...inEvery], tags: [] },
    verifying: busy,
  })
})

describe('an actor that was not provided', () => {
  const { actors } = phoneOtpMachine.implementations
  const changing = { ...initialContext, purpose: 'changeNumber', value: 'editing' }

  test.each<[keyof typeof actors, PhoneOtpPurpose, object]>([
    [
      'checkAccount',
      'signIn',
      { ...initialContext, value: 'editing', purpose: 'signUp', notice: 'checkFailed' },
    ],
    ['sendCode', 'changeNumber', { ...changing, problem: unansweredFailure }],
    [
      'confirmCode',
      'changeNumber',
      {
        ...changing,
        value: 'enteringCode',
        code: '1',
        sent: sentCode,
        resendIn: 30,
        problem: unansweredFailure,
      },
    ],
  ])('an actor that was not provided never counts as success: %s', async (name, purpose, situation) => {
    const started = createTestActor({ purpose }, { [name]: actors[name] })
    started.send({ type: 'code.request' })
    await started.sendCode.answer(ok({ verificationId: 'v1' }))
    if (name === 'confirmCode') {
      started.send({ type: 'code.change', code: '1' })
      started.send({ type: 'code.submit' })
      await flushQueue()
    }
    expect(started.situation()).toEqual(situation)
  })
})

describe('every path', () => {
  const events: PhoneOtpEvent[] = [
    { type: 'details.change', patch: { name: 'Awa' } },
    { type: 'details.change', patch: { phone: typedPhone } },
    { type: 'details.change', patch: { phone: '' } },
    { type: 'purpose.choose', purpose: 'signIn' },
    { type: 'purpose.choose', purpose: 'signUp' },
    { type: 'code.request' },
    { type: 'code.resume', sent: sentCode, resendIn: 2 },
    { type: 'code.change', code: '123 456' },
    { type: 'code.submit' },
    { type: 'code.resend' },
    { type: 'number.change' },
    { type: 'resend.correct', resendIn: 0 },
  ]
  const checks: AccountCheckAnswer[] = ['found', 'notFound', 'limited']
  const confirmations = [
    ok(undefined),
    ...(['invalid-verification-code', 'code-expired', 'blocked-by-function'] as const).map((code) =>
      err(buildAuthFailure(code)),
    ),
  ]
  const wrongNumber = err(buildAuthFailure('invalid-phone-number'))
  // Refused messages would double the number of paths, so only the walk that changes the number covers them.
  const isOfClosing = ({ eventType, guard }: { eventType: string; guard?: unknown }) =>
    eventType === 'messages.unblock' || /ProjectRefused|isSmsRefused/.test(JSON.stringify(guard ?? ''))
  const walkAs = (
    purpose: PhoneOtpPurpose,
    sending: readonly Result<{ verificationId: string }, Failure>[],
    invariant: WalkSettings<typeof phoneOtpMachine>['invariant'],
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
      blur: ({ resendIn, problem, notice, ...context }) => ({
        ...context,
        isCounting: resendIn > 0,
        messages: [problem?.kind, notice !== null],
      }),
      invariant,
    })

  test('every path to sign in keeps the input until the code’s confirmation', () => {
    const { untaken } = walkAs('signIn', [wrongNumber], ({ event, before, after, asked, at }) => {
      const { context } = after
      const patch = event.type === 'details.change' ? event.patch : {}
      const { name, phone: number } = { ...before.context, ...patch }
      expect({ name: context.name, phone: context.phone }, at).toEqual({ name, phone: number })

      const isInForm = after.matches('editing') || after.matches('checkingAccount')
      if (isInForm) expect(context.sent, at).toBe(null)
      if (context.sent) expect(checkPhone(context.phone), at).toEqual(ok(context.sent.phone))
      if (after.matches('verifying'))
        expect(asked.at(-1), at).toMatchObject({ src: 'confirmCode', input: sentCode })
      if (before.matches('checkingAccount') && after.matches('sendingCode'))
        expect(['found', 'limited'], at).toContain(event.output)
      if (after.status === 'done')
        expect([before.value, event.output], at).toEqual(['verifying', ok(undefined)])

      expect(Object.keys(after.children), at).toHaveLength(after.hasTag('busy') ? 1 : 0)
    })
    expect(untaken.filter((transition) => !isOfClosing(transition))).toEqual([])
  })

  test('every path to change the number respects refusals and keeps the purpose', () => {
    const sending = [wrongNumber, err({ kind: 'noMessages', reason: 'project' } as const)]
    const { paths, untaken } = walkAs('changeNumber', sending, ({ before, after, asked, at }) => {
      const { context } = after
      if (before.context.smsRefusal !== null) expect(after.matches('sendingCode'), at).toBe(false)
      expect([context.purpose, context.notice], at).toEqual(['changeNumber', null])
      expect(asked, at).not.toContainEqual(expect.objectContaining({ src: 'checkAccount' }))
    })
    expect(paths).toBeGreaterThan(100)
    expect(untaken.filter(isOfClosing)).toEqual([])
  })
})
