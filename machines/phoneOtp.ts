/**
 * Verifies that a phone number belongs to the user: details, account check of a sign-in, code by text
 * message, confirmation. Used to sign in, sign up, change a profile's number and re-authenticate. It exists
 * because each call can fail in many ways that lead to different states, and no input may be lost. A sent
 * code survives a reload, because phones often reload the page while the user reads the message.
 * `number.change` leaves every wait and cancels what is in progress. After a refusal caused by the project,
 * no message is requested for a while, because the user can't change the answer. Specification, sections 4, 5
 * and 8.
 */

import { assertEvent, assign, cancel, fromPromise, raise, setup } from 'xstate'
import { MINUTE } from '../domain/common/duration.ts'
import type { Result } from '../domain/common/result.ts'
import type { Failure, SmsRefusalScope } from '../domain/errors/failure.ts'
import { checkPhone, type PhoneProblem, parsePhone } from '../domain/numbers/phone.ts'
import { checkSmsCode } from '../domain/numbers/smsCode.ts'
import { checkName, type NameProblem } from '../domain/people/name.ts'
import { assertDefined, rejectUnprovided, unwrapOk, unwrapRefusal, withAnswer } from './actors.ts'

export const RESEND_SECONDS = 30

/** Milliseconds without a message after the service refused the project. */
export const MESSAGES_BLOCKED_PERIOD = 10 * MINUTE

export type PhoneOtpPurpose = 'signIn' | 'signUp' | 'changeNumber' | 'reauthenticate'

export type PhoneFormProblem =
  | ({ readonly field: 'name' } & NameProblem)
  | ({ readonly field: 'phone' } & PhoneProblem)
  | { readonly field: 'code'; readonly kind: 'codeRequired' | 'noCode' }

/** `limited`: the server temporarily answers no more checks. */
export type AccountCheckAnswer = 'found' | 'notFound' | 'limited'

/** Why a sign-in became a sign-up. */
export type PhoneOtpNotice = 'accountNotFound' | 'checkFailed'

export interface SentCode {
  readonly verificationId: string
  readonly phone: string
}

export interface PhoneOtpInput {
  readonly purpose: PhoneOtpPurpose
  readonly name?: string
  readonly phone?: string
  readonly notice?: 'accountNotFound'
}

export interface PhoneOtpContext {
  readonly purpose: PhoneOtpPurpose
  readonly name: string
  readonly phone: string
  readonly code: string
  /** When the form was last sent, in field order. */
  readonly problems: readonly PhoneFormProblem[]
  readonly problem: Failure | null
  readonly notice: PhoneOtpNotice | null
  readonly sent: SentCode | null
  /** Typed before the message was requested; that message replaces it. */
  readonly staleCode: string
  /** Whole seconds. */
  readonly resendIn: number
  /** Why no message is requested, whatever the user presses. */
  readonly smsRefusal: SmsRefusalScope | null
  /** One retry is allowed. */
  readonly isCaptchaRefused: boolean
}

export type PhoneOtpEvent =
  | { type: 'details.change'; patch: { readonly name?: string; readonly phone?: string } }
  | { type: 'purpose.choose'; purpose: 'signIn' | 'signUp' }
  | { type: 'code.request' }
  /** Sent before the page was reloaded. `resendIn`: whole seconds. */
  | { type: 'code.resume'; sent: SentCode; resendIn: number }
  | { type: 'code.change'; code: string }
  | { type: 'code.submit' }
  | { type: 'code.resend' }
  | { type: 'number.change' }
  /** The device slept, so the countdown is late. `resendIn`: by the device's clock. */
  | { type: 'resend.correct'; resendIn: number }
  /** Raised by the machine. */
  | { type: 'second.passed' }
  /** Raised by the machine: messages may be possible again. */
  | { type: 'messages.unblock' }

type SendAnswer = Result<{ readonly verificationId: string }, Failure>
type ConfirmAnswer = Result<void, Failure>

const blockedByAnswer = [withAnswer('blockMessages'), 'cancelUnblocking', 'scheduleUnblocking'] as const
const refusedByAnswer = [withAnswer('showRefusal'), withAnswer('recordCaptchaRefusal')] as const

const showNoAnswer = {
  type: 'showProblem',
  params: { kind: 'authOther', message: '' },
} as const

export const phoneOtpMachine = setup({
  types: {
    context: {} as PhoneOtpContext,
    events: {} as PhoneOtpEvent,
    input: {} as PhoneOtpInput,
    output: {} as { purpose: PhoneOtpPurpose },
    tags: {} as 'busy',
  },
  actors: {
    /** Rejects if it could not be determined. */
    checkAccount: fromPromise<AccountCheckAnswer, { phone: string }>(rejectUnprovided),
    /** The captcha may take the user minutes. Rejects on unexpected errors. */
    sendCode: fromPromise<SendAnswer, { phone: string }>(rejectUnprovided),
    /**
     * A sign-up also stores the profile; `name` is empty otherwise. Must change nothing after its signal
     * aborts. Rejects on unexpected errors.
     */
    confirmCode: fromPromise<
      ConfirmAnswer,
      { purpose: PhoneOtpPurpose; verificationId: string; code: string; name: string; phone: string }
    >(rejectUnprovided),
  },
  actions: {
    changeDetails: assign(({ context, event }) => {
      assertEvent(event, 'details.change')
      const { patch } = event
      return {
        ...patch,
        problems: context.problems.filter(({ field }) => !(field in patch)),
        problem: null,
        // Messages may still be possible to another country.
        ...('phone' in patch && context.smsRefusal === 'country' && { smsRefusal: null }),
      }
    }),
    changeCode: assign(({ context, event }) => {
      assertEvent(event, 'code.change')
      return {
        code: event.code,
        problems: context.problems.filter(({ field }) => field !== 'code'),
        problem: null,
      }
    }),
    choosePurpose: assign(({ event }) => {
      assertEvent(event, 'purpose.choose')
      return { purpose: event.purpose }
    }),
    switchToSignUp: assign((_, notice: PhoneOtpNotice) => ({
      purpose: 'signUp' as const,
      notice,
    })),
    showDetailsProblems: assign(({ context }) => ({ problems: detailsProblems(context), problem: null })),
    showCodeProblems: assign(({ context }) => ({ problems: codeProblems(context), problem: null })),
    showProblem: assign((_, problem: Failure) => ({ problem })),
    showRefusal: assign((_, answer: SendAnswer | ConfirmAnswer) => ({
      problem: unwrapRefusal<Failure>(answer),
    })),
    blockMessages: assign((_, answer: SendAnswer) => {
      const failure = unwrapRefusal(answer)
      return {
        smsRefusal: failure.kind === 'noMessages' ? failure.reason : ('project' as const),
        isCaptchaRefused: false,
      }
    }),
    unblockMessages: assign({ smsRefusal: null }),
    cancelUnblocking: cancel('unblocking'),
    scheduleUnblocking: raise(
      { type: 'messages.unblock' },
      { id: 'unblocking', delay: 'messagesBlockedPeriod' },
    ),
    recordCaptchaRefusal: assign((_, answer: SendAnswer) => ({
      isCaptchaRefused: isCaptchaRefused(unwrapRefusal(answer)),
    })),
    recordStaleCode: assign({ staleCode: ({ context }) => context.code }),
    clearProblems: assign({ problems: [], problem: null, notice: null }),
    recordSentCode: assign(({ context }, answer: SendAnswer) => ({
      sent: { verificationId: unwrapOk(answer).verificationId, phone: getCheckedPhone(context) },
      // The message may have arrived before this answer.
      code: context.code === context.staleCode ? '' : context.code,
      staleCode: '',
      resendIn: RESEND_SECONDS,
      isCaptchaRefused: false,
    })),
    resumeSentCode: assign(({ event }) => {
      assertEvent(event, 'code.resume')
      const { sent, resendIn } = event
      return { sent, resendIn: Math.max(0, Math.min(resendIn, RESEND_SECONDS)) }
    }),
    clearSentCode: assign({ sent: null, code: '', resendIn: 0 }),
    allowResend: assign({ resendIn: 0 }),
    correctResend: assign(({ context, event }) => {
      assertEvent(event, 'resend.correct')
      return { resendIn: Math.max(0, Math.min(event.resendIn, context.resendIn)) }
    }),
    countDown: assign(({ context: { resendIn } }) => ({ resendIn: Math.max(resendIn - 1, 0) })),
    cancelSecond: cancel('second'),
    scheduleSecond: raise({ type: 'second.passed' }, { id: 'second', delay: 'second' }),
  },
  guards: {
    isSigningIn: ({ context }) => context.purpose === 'signIn',
    /** The same purpose again must not clear the message. */
    isOtherPurpose: ({ context, event }) => {
      assertEvent(event, 'purpose.choose')
      return isForAccess(context) && event.purpose !== context.purpose
    },
    hasDetailsProblems: ({ context }) => detailsProblems(context).length > 0,
    hasCodeProblems: ({ context }) => codeProblems(context).length > 0,
    isOtherNumber: ({ context, event }) => {
      assertEvent(event, 'details.change')
      const { phone } = event.patch
      return phone !== undefined && parsePhone(phone) !== parsePhone(context.phone)
    },
    isForThisNumber: ({ context, event }) => {
      assertEvent(event, 'code.resume')
      const checked = checkPhone(parsePhone(context.phone))
      return checked.ok && checked.value === event.sent.phone
    },
    isResend: ({ context }) => context.sent !== null,
    isResendAllowed: ({ context }) => context.resendIn === 0 && context.smsRefusal === null,
    isSmsRefused: ({ context }) => context.smsRefusal !== null,
    isLastSecond: ({ context }) => context.resendIn <= 1,
    /** If the check is limited, the text message decides; it has its own limit. */
    isAccountPossible: (_, answer: AccountCheckAnswer) => answer !== 'notFound',
    isProjectRefused: ({ context }, answer: SendAnswer) => isProjectRefused(context, answer),
    isFirstProjectRefused: ({ context }, answer: SendAnswer) =>
      context.sent === null && isProjectRefused(context, answer),
    isFirstSendRefused: ({ context }, answer: SendAnswer) => !answer.ok && context.sent === null,
    isRefused: (_, answer: SendAnswer | ConfirmAnswer) => !answer.ok,
    hasNoAccount: ({ context }, answer: ConfirmAnswer) =>
      !answer.ok && isBlocked(answer.error) && isForAccess(context),
    isCodeSpent: (_, answer: ConfirmAnswer) => !answer.ok && isCodeSpent(answer.error),
  },
  delays: {
    second: 1_000,
    checkTimeout: 20_000,
    messagesBlockedPeriod: MESSAGES_BLOCKED_PERIOD,
  },
}).createMachine({
  id: 'phoneOtp',
  context: ({ input: { purpose, name = '', phone = '', notice = null } }) => ({
    purpose,
    name,
    phone,
    code: '',
    problems: [],
    problem: null,
    notice,
    sent: null,
    staleCode: '',
    resendIn: 0,
    smsRefusal: null,
    isCaptchaRefused: false,
  }),
  output: ({ context }) => ({ purpose: context.purpose }),
  initial: 'editing',
  on: {
    // A call for another number no longer matters.
    'details.change': [
      { guard: 'isOtherNumber', target: '.editing', actions: ['changeDetails', 'clearSentCode'] },
      { actions: 'changeDetails' },
    ],
    'code.change': { actions: 'changeCode' },
    'number.change': { target: '.editing', actions: ['clearSentCode', 'clearProblems'] },
    'messages.unblock': { actions: 'unblockMessages' },
    'resend.correct': { actions: 'correctResend' },
    // The seconds pass in every state.
    'second.passed': [
      { guard: 'isLastSecond', actions: 'countDown' },
      { actions: ['countDown', 'scheduleSecond'] },
    ],
  },
  states: {
    editing: {
      description: 'The user types the number, and a name to sign up, and requests a code.',
      on: {
        'purpose.choose': { guard: 'isOtherPurpose', actions: ['choosePurpose', 'clearProblems'] },
        'code.submit': { actions: 'showCodeProblems' },
        'code.resume': {
          guard: 'isForThisNumber',
          target: 'enteringCode',
          actions: ['resumeSentCode', 'cancelSecond', 'scheduleSecond'],
        },
        'code.request': [
          { guard: 'hasDetailsProblems', actions: 'showDetailsProblems' },
          { guard: 'isSmsRefused', actions: 'clearProblems' },
          { guard: 'isSigningIn', target: 'checkingAccount', actions: 'clearProblems' },
          { target: 'sendingCode', actions: 'clearProblems' },
        ],
      },
    },

    checkingAccount: {
      description: 'The server is asked whether the number has an account; the user waits.',
      tags: 'busy',
      invoke: {
        src: 'checkAccount',
        input: ({ context }) => ({ phone: getCheckedPhone(context) }),
        onDone: [
          { guard: withAnswer('isAccountPossible'), target: 'sendingCode' },
          { target: 'editing', actions: { type: 'switchToSignUp', params: 'accountNotFound' } },
        ],
        onError: { target: 'editing', actions: { type: 'switchToSignUp', params: 'checkFailed' } },
      },
      after: {
        checkTimeout: { target: 'editing', actions: { type: 'switchToSignUp', params: 'checkFailed' } },
      },
    },

    sendingCode: {
      description: 'A captcha is solved and a code is sent; the user may have to solve it, and waits.',
      tags: 'busy',
      entry: 'recordStaleCode',
      invoke: {
        src: 'sendCode',
        input: ({ context }) => ({ phone: getCheckedPhone(context) }),
        onDone: [
          {
            guard: withAnswer('isFirstProjectRefused'),
            target: 'editing',
            actions: blockedByAnswer,
          },
          {
            guard: withAnswer('isProjectRefused'),
            target: 'enteringCode',
            actions: blockedByAnswer,
          },
          {
            guard: withAnswer('isFirstSendRefused'),
            target: 'editing',
            actions: refusedByAnswer,
          },
          {
            guard: withAnswer('isRefused'),
            target: 'enteringCode',
            actions: refusedByAnswer,
          },
          {
            target: 'enteringCode',
            actions: [withAnswer('recordSentCode'), 'cancelSecond', 'scheduleSecond'],
          },
        ],
        onError: [
          { guard: 'isResend', target: 'enteringCode', actions: showNoAnswer },
          { target: 'editing', actions: showNoAnswer },
        ],
      },
    },

    enteringCode: {
      description: 'The user types the code, requests another one, or changes the number.',
      on: {
        'purpose.choose': { guard: 'isOtherPurpose', actions: ['choosePurpose', 'clearProblems'] },
        'code.submit': [
          { guard: 'hasCodeProblems', actions: 'showCodeProblems' },
          { target: 'verifying', actions: 'clearProblems' },
        ],
        'code.resend': { guard: 'isResendAllowed', target: 'sendingCode', actions: 'clearProblems' },
      },
    },

    verifying: {
      description: 'The service is asked whether the code is right; the user waits.',
      tags: 'busy',
      invoke: {
        src: 'confirmCode',
        input: ({ context }) => getConfirmationInput(context),
        onDone: [
          {
            guard: withAnswer('hasNoAccount'),
            target: 'editing',
            actions: ['clearSentCode', { type: 'switchToSignUp', params: 'accountNotFound' }],
          },
          {
            guard: withAnswer('isCodeSpent'),
            target: 'enteringCode',
            actions: [withAnswer('showRefusal'), 'allowResend'],
          },
          {
            guard: withAnswer('isRefused'),
            target: 'enteringCode',
            actions: withAnswer('showRefusal'),
          },
          { target: 'done' },
        ],
        onError: { target: 'enteringCode', actions: showNoAnswer },
      },
    },

    done: {
      description: 'The number is confirmed, and the purpose of the code is fulfilled.',
      type: 'final',
    },
  },
})

function isForAccess({ purpose }: PhoneOtpContext): boolean {
  return purpose === 'signIn' || purpose === 'signUp'
}

/** A blocking function of the project refuses unknown users. */
function isBlocked(failure: Failure): boolean {
  return failure.kind === 'auth' && failure.code === 'blocked-by-function'
}

/** A second rejected captcha in a row is systematic: the project's keys or domain are wrong. */
function isProjectRefused(context: PhoneOtpContext, answer: SendAnswer): boolean {
  if (answer.ok) return false
  return answer.error.kind === 'noMessages' || (context.isCaptchaRefused && isCaptchaRefused(answer.error))
}

/** Errors before the solved captcha come from the browser or the network. */
function isCaptchaRefused(failure: Failure): boolean {
  return failure.kind === 'auth' && failure.code === 'captcha-check-failed'
}

/** Only a new message can help. */
function isCodeSpent(failure: Failure): boolean {
  if (failure.kind === 'auth')
    return failure.code === 'code-expired' || failure.code === 'invalid-verification-id'
  return failure.kind === 'data'
}

function nameProblems({ purpose, name }: PhoneOtpContext): PhoneFormProblem[] {
  const checked = checkName(name)
  return purpose === 'signUp' && !checked.ok ? [{ field: 'name', ...checked.error }] : []
}

function detailsProblems(context: PhoneOtpContext): PhoneFormProblem[] {
  const checked = checkPhone(parsePhone(context.phone))
  return [...nameProblems(context), ...(checked.ok ? [] : [{ field: 'phone' as const, ...checked.error }])]
}

/** The purpose can change after the code was sent, so the name is checked again. */
function codeProblems(context: PhoneOtpContext): PhoneFormProblem[] {
  if (!context.sent) return [{ field: 'code', kind: 'noCode' }]
  const checked = checkSmsCode(context.code)
  return [...nameProblems(context), ...(checked.ok ? [] : [{ field: 'code' as const, ...checked.error }])]
}

// The states that use these are reached only with a valid form.
const getCheckedPhone = ({ phone }: PhoneOtpContext): string => unwrapOk(checkPhone(parsePhone(phone)))

const getConfirmationInput = ({ purpose, sent, code, name }: PhoneOtpContext) => ({
  purpose,
  ...assertDefined(sent),
  code: unwrapOk(checkSmsCode(code)),
  name: purpose === 'signUp' ? unwrapOk(checkName(name)) : '',
})
