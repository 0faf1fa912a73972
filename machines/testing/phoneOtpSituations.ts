import { createActor, SimulatedClock } from 'xstate'
import type { AuthCode, Failure } from '../../domain/failure.ts'
import { ok, type Result } from '../../domain/result.ts'
import {
  type AccountAnswer,
  type PhoneOtpContext,
  type PhoneOtpInput,
  type Purpose,
  phoneOtpMachine,
} from '../phoneOtp.ts'
import { fakeActor } from './fakeActor.ts'

export const typed = '+33 6 12 34 56 78'
export const phone = '+33612345678'
export const otherPhone = '+14165550100'
export const sent = { verificationId: 'v1', phone }
export const auth = (code: AuthCode) => ({ kind: 'auth', code }) as const
export const refusedBy = (failure: Failure) => ({ kind: 'refused', failure }) as const
export const unanswered = refusedBy({ kind: 'authOther', message: '' })

let stopLast = () => {}

/** Ends what was started last; each file of tests does so after each of them. */
export const stop = () => stopLast()
type Confirmation = { purpose: Purpose; verificationId: string; code: string; name: string; phone: string }

export function createTestActor(
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
export type Started = ReturnType<typeof createTestActor>

/** Everything the context holds while nothing has happened. */
export const idle: PhoneOtpContext = {
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
export const codeSent = { ...idle, value: 'enteringCode', sent, resendIn: 30 }

export const reach = {
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
