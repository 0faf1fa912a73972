import { createActor, SimulatedClock } from 'xstate'
import { ok, type Result } from '../../domain/common/result.ts'
import type { AuthErrorCode, Failure } from '../../domain/errors/failure.ts'
import {
  type AccountCheckAnswer,
  type PhoneOtpContext,
  type PhoneOtpInput,
  type PhoneOtpPurpose,
  phoneOtpMachine,
} from '../phoneOtp.ts'
import { createFakeActor } from './fakeActor.ts'
import { recordTransition } from './lastTransition.ts'

export const typedPhone = '+33 6 12 34 56 78'
export const phone = '+33612345678'
export const otherPhone = '+14165550100'
export const sentCode = { verificationId: 'v1', phone }
export const buildAuthFailure = (code: AuthErrorCode) => ({ kind: 'auth', code }) as const
export const unansweredFailure: Failure = { kind: 'authOther', message: '' }

let stopLast = () => {}

export const stopTestActor = () => stopLast()
type Confirmation = {
  purpose: PhoneOtpPurpose
  verificationId: string
  code: string
  name: string
  phone: string
}

export function createTestActor(
  input: Partial<PhoneOtpInput> = {},
  overrides: Parameters<typeof phoneOtpMachine.provide>[0]['actors'] = {},
) {
  const clock = new SimulatedClock()
  const checkAccount = createFakeActor<AccountCheckAnswer, { phone: string }>()
  const sendCode = createFakeActor<Result<{ verificationId: string }, Failure>, { phone: string }>()
  const confirmCode = createFakeActor<Result<void, Failure>, Confirmation>()
  const actor = createActor(
    phoneOtpMachine.provide({
      actors: {
        checkAccount: checkAccount.logic,
        sendCode: sendCode.logic,
        confirmCode: confirmCode.logic,
        ...overrides,
      },
    }),
    {
      clock,
      input: { purpose: 'signIn', name: 'Awa', phone: typedPhone, ...input },
      inspect: recordTransition,
    },
  ).start()
  stopLast = () => actor.stop()
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
export type StartedActor = ReturnType<typeof createTestActor>

export const initialContext: PhoneOtpContext = {
  purpose: 'signIn',
  name: 'Awa',
  phone: typedPhone,
  code: '',
  problems: [],
  problem: null,
  notice: null,
  sent: null,
  staleCode: '',
  resendIn: 0,
  smsRefusal: null,
  isCaptchaRefused: false,
}
export const codeSentSituation = { ...initialContext, value: 'enteringCode', sent: sentCode, resendIn: 30 }

export const arrange = {
  async editing(input: Partial<PhoneOtpInput> = {}): Promise<StartedActor> {
    return createTestActor(input)
  },
  async checkingAccount(): Promise<StartedActor> {
    const started = createTestActor()
    started.send({ type: 'code.request' })
    return started
  },
  async sendingCode(input: Partial<PhoneOtpInput> = {}): Promise<StartedActor> {
    const started = createTestActor(input)
    started.send({ type: 'code.request' })
    if (started.situation().purpose === 'signIn') await started.checkAccount.answer('found')
    return started
  },
  async enteringCode(input: Partial<PhoneOtpInput> = {}): Promise<StartedActor> {
    const started = await arrange.sendingCode(input)
    await started.sendCode.answer(ok({ verificationId: 'v1' }))
    return started
  },
  async verifying(input: Partial<PhoneOtpInput> = {}): Promise<StartedActor> {
    const started = await arrange.enteringCode(input)
    started.send({ type: 'code.change', code: '123 456' })
    started.send({ type: 'code.submit' })
    return started
  },
}
