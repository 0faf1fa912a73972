/**
 * Proves that a phone number is the person's own: details, the account check of a sign-in, the code by text message,
 * its confirmation. A code that is under way outlives the page: who goes to read the message often comes back to a page that
 * is loaded anew. Used to sign in, to sign up, to change the number of a profile and to re-authenticate. It exists
 * because each of its calls can fail in many ways that lead elsewhere, and nothing typed may be lost on the way. Every
 * wait can be left by `number.change`, which cancels what is under way. A message that the service refuses for reasons of the
 * project is not asked for again for a while: nothing that a person can do would change the answer. Specification, sections 4, 5 and 8.
 */

import { assertEvent, assign, cancel, fromPromise, raise, setup } from 'xstate'
import { MINUTE } from '../domain/duration.ts'
import type { Failure, NoMessages } from '../domain/failure.ts'
import { checkName, type NameProblem } from '../domain/name.ts'
import { checkPhone, type PhoneProblem, readPhone } from '../domain/phone.ts'
import type { Result } from '../domain/result.ts'
import { checkSmsCode } from '../domain/smsCode.ts'
import { granted, inPlace, refusalIn, unprovidedAnswer, withAnswer } from './actors.ts'

/** Seconds from a code that was sent until another one can be asked for. */
export const RESEND_SECONDS = 30

export type Purpose = 'signIn' | 'signUp' | 'changeNumber' | 'reauthenticate'

export type PhoneFormProblem =
  | ({ readonly field: 'name' } & NameProblem)
  | ({ readonly field: 'phone' } & PhoneProblem)
  | { readonly field: 'code'; readonly kind: 'codeRequired' | 'noCode' }

export type PhoneOtpProblem =
  /** `retryIn` counts the seconds until the next try. */
  { readonly kind: 'tooManyChecks' } | { readonly kind: 'refused'; readonly failure: Failure }

/** `retryAfterSeconds`: whole seconds. */
export type AccountAnswer =
  | { readonly kind: 'found' }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }

/** Why a sign-in has become a sign-up. */
export type PhoneOtpNotice = 'accountNotFound' | 'checkFailed'

export interface SentCode {
  readonly verificationId: string
  readonly phone: string
}

export interface PhoneOtpInput {
  readonly purpose: Purpose
  readonly name?: string
  readonly phone?: string
  /** Why the person is to sign up. */
  readonly notice?: 'accountNotFound'
}

export interface PhoneOtpContext {
  readonly purpose: Purpose
  readonly name: string
  readonly phone: string
  readonly code: string
  /** What is wrong with the form, in the order of its fields, since it was last sent. */
  readonly problems: readonly PhoneFormProblem[]
  readonly problem: PhoneOtpProblem | null
  readonly notice: PhoneOtpNotice | null
  /** The code that waits to be entered. Null in the form. */
  readonly sent: SentCode | null
  /** Whole seconds until another code can be asked for. */
  readonly resendIn: number
  /** Whole seconds until the account check answers again. */
  readonly retryIn: number
  /** Why no message is asked for, whatever is pressed. */
  readonly noMessages: NoMessages | null
  /** Whether the last message was refused for its captcha. A new one is worth one try. */
  readonly isCaptchaRefused: boolean
}

export type PhoneOtpEvent =
  | { type: 'details.change'; patch: { readonly name?: string; readonly phone?: string } }
  | { type: 'purpose.choose'; purpose: 'signIn' | 'signUp' }
  | { type: 'code.request' }
  /** A code was sent before this page was loaded again, and waits to be entered. `resendIn` in whole seconds. */
  | { type: 'code.resume'; sent: SentCode; resendIn: number }
  | { type: 'code.change'; code: string }
  | { type: 'code.submit' }
  | { type: 'code.resend' }
  | { type: 'number.change' }
  | { type: 'problem.dismiss' }
  /** The machine's own, while it counts down. */
  | { type: 'second.passed' }
  /** The machine's own: the project may have been mended. */
  | { type: 'messages.reopen' }

type SendAnswer = Result<{ readonly verificationId: string }, Failure>
type ConfirmAnswer = Result<void, Failure>

// What follows from a refusal, wherever it leaves the person.
const closedByAnswer = [withAnswer('closeMessages'), 'stopReopening', 'awaitReopening'] as const
const toldByAnswer = [withAnswer('tellRefusal'), withAnswer('noteCaptcha')] as const

/** An answer that never came. */
const tellNoAnswer = {
  type: 'tell',
  params: { kind: 'refused', failure: { kind: 'authOther', message: '' } },
} as const

export const phoneOtpMachine = setup({
  types: {
    context: {} as PhoneOtpContext,
    events: {} as PhoneOtpEvent,
    input: {} as PhoneOtpInput,
    output: {} as { purpose: Purpose },
    tags: {} as 'busy',
  },
  actors: {
    /** Asks the server whether the number has an account. Rejects when it can't be told. */
    checkAccount: fromPromise<AccountAnswer, { phone: string }>(unprovidedAnswer),
    /** Solves the captcha and has a code sent. The captcha may take the person minutes. Rejects on the unforeseen. */
    sendCode: fromPromise<SendAnswer, { phone: string }>(unprovidedAnswer),
    /**
     * Does with the code what the purpose says; a sign-up also stores the profile. `name` is empty but for a sign-up.
     * Once its signal aborts, it should change nothing more. Rejects on the unforeseen.
     */
    confirmCode: fromPromise<
      ConfirmAnswer,
      { purpose: Purpose; verificationId: string; code: string; name: string; phone: string }
    >(unprovidedAnswer),
  },
  actions: {
    changeDetails: assign(({ context, event }) => {
      assertEvent(event, 'details.change')
      const { patch } = event
      return {
        ...patch,
        problems: context.problems.filter(({ field }) => !(field in patch)),
        problem: exceptRefusal(context.problem),
        // The number of another country may be one that messages go to.
        ...('phone' in patch && context.noMessages === 'country' && { noMessages: null }),
      }
    }),
    changeCode: assign(({ context, event }) => {
      assertEvent(event, 'code.change')
      return {
        code: event.code,
        problems: context.problems.filter(({ field }) => field !== 'code'),
        problem: exceptRefusal(context.problem),
      }
    }),
    choosePurpose: assign(({ event }) => {
      assertEvent(event, 'purpose.choose')
      return { purpose: event.purpose }
    }),
    becomeSignUp: assign((_, notice: PhoneOtpNotice) => ({
      purpose: 'signUp' as const,
      notice,
    })),
    showDetailsProblems: assign(({ context }) => ({ problems: detailsProblems(context), problem: null })),
    showCodeProblems: assign(({ context }) => ({ problems: codeProblems(context), problem: null })),
    tell: assign((_, problem: PhoneOtpProblem) => ({ problem })),
    tellRefusal: assign((_, answer: SendAnswer | ConfirmAnswer) => ({
      problem: { kind: 'refused' as const, failure: refusalIn<Failure>(answer) },
    })),
    closeMessages: assign((_, answer: SendAnswer) => {
      const failure = refusalIn(answer)
      return {
        noMessages: failure.kind === 'noMessages' ? failure.reason : ('project' as const),
        isCaptchaRefused: false,
      }
    }),
    openMessages: assign({ noMessages: null }),
    stopReopening: cancel('reopening'),
    awaitReopening: raise({ type: 'messages.reopen' }, { id: 'reopening', delay: 'messagesClosed' }),
    noteCaptcha: assign((_, answer: SendAnswer) => ({
      isCaptchaRefused: isCaptchaRefused(refusalIn(answer)),
    })),
    tellLimit: assign((_, answer: AccountAnswer) =>
      answer.kind === 'limited'
        ? { problem: { kind: 'tooManyChecks' as const }, retryIn: answer.retryAfterSeconds }
        : {},
    ),
    clearProblems: assign({ problems: [], problem: null, notice: null }),
    dismissProblem: assign({ problem: null, notice: null }),
    rememberSent: assign(({ context }, answer: SendAnswer) => ({
      sent: { verificationId: granted(answer).verificationId, phone: phoneOf(context) },
      code: '',
      resendIn: RESEND_SECONDS,
      isCaptchaRefused: false,
    })),
    resumeSent: assign(({ event }) => {
      assertEvent(event, 'code.resume')
      const { sent, resendIn } = event
      return { sent, resendIn: Math.max(0, Math.min(resendIn, RESEND_SECONDS)) }
    }),
    forgetSent: assign({ sent: null, code: '', resendIn: 0 }),
    allowResend: assign({ resendIn: 0 }),
    countDown: assign(({ context: { resendIn, retryIn, problem } }) => ({
      resendIn: Math.max(resendIn - 1, 0),
      retryIn: Math.max(retryIn - 1, 0),
      problem: retryIn <= 1 && problem?.kind === 'tooManyChecks' ? null : problem,
    })),
    stopSecond: cancel('second'),
    awaitSecond: raise({ type: 'second.passed' }, { id: 'second', delay: 'second' }),
  },
  guards: {
    isSigningIn: ({ context }) => context.purpose === 'signIn',
    /** Said again, it must not take away what has just been told. */
    isOtherPurpose: ({ context, event }) => {
      assertEvent(event, 'purpose.choose')
      return isForAccess(context) && event.purpose !== context.purpose
    },
    hasDetailsProblems: ({ context }) => detailsProblems(context).length > 0,
    hasCodeProblems: ({ context }) => codeProblems(context).length > 0,
    isToWait: ({ context }) => context.purpose === 'signIn' && context.retryIn > 0,
    isOtherNumber: ({ context: { sent }, event }) => {
      assertEvent(event, 'details.change')
      const { phone } = event.patch
      return phone !== undefined && readPhone(phone) !== inPlace(sent).phone
    },
    isOfThisNumber: ({ context, event }) => {
      assertEvent(event, 'code.resume')
      const checked = checkPhone(readPhone(context.phone))
      return checked.ok && checked.value === event.sent.phone
    },
    isResend: ({ context }) => context.sent !== null,
    isResendAllowed: ({ context }) => context.resendIn === 0 && context.noMessages === null,
    areMessagesClosed: ({ context }) => context.noMessages !== null,
    isLastSecond: ({ context }) => Math.max(context.resendIn, context.retryIn) <= 1,
    isFound: (_, answer: AccountAnswer) => answer.kind === 'found',
    isLimited: (_, answer: AccountAnswer) => answer.kind === 'limited',
    isProjectRefused: ({ context }, answer: SendAnswer) => isProjectRefused(context, answer),
    isFirstProjectRefused: ({ context }, answer: SendAnswer) =>
      context.sent === null && isProjectRefused(context, answer),
    isFirstSendRefused: ({ context }, answer: SendAnswer) => !answer.ok && context.sent === null,
    isRefused: (_, answer: SendAnswer | ConfirmAnswer) => !answer.ok,
    isWithoutAccount: ({ context }, answer: ConfirmAnswer) =>
      !answer.ok && isBlocked(answer.error) && isForAccess(context),
    isCodeSpent: (_, answer: ConfirmAnswer) => !answer.ok && isCodeSpent(answer.error),
  },
  delays: {
    second: 1_000,
    checkTimeout: 20_000,
    messagesClosed: 10 * MINUTE,
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
    resendIn: 0,
    retryIn: 0,
    noMessages: null,
    isCaptchaRefused: false,
  }),
  output: ({ context }) => ({ purpose: context.purpose }),
  initial: 'editing',
  on: {
    'number.change': { target: '.editing', actions: ['forgetSent', 'clearProblems'] },
    'problem.dismiss': { actions: 'dismissProblem' },
    'messages.reopen': { actions: 'openMessages' },
    // Here and not in a state: the seconds pass in all of them.
    'second.passed': [
      { guard: 'isLastSecond', actions: 'countDown' },
      { actions: ['countDown', 'awaitSecond'] },
    ],
  },
  states: {
    editing: {
      description: 'The person types the number, and a name to sign up, and asks for a code.',
      on: {
        'details.change': { actions: 'changeDetails' },
        'purpose.choose': { guard: 'isOtherPurpose', actions: ['choosePurpose', 'clearProblems'] },
        'code.change': { actions: 'changeCode' },
        'code.submit': { actions: 'showCodeProblems' },
        'code.resume': {
          guard: 'isOfThisNumber',
          target: 'enteringCode',
          actions: ['resumeSent', 'stopSecond', 'awaitSecond'],
        },
        'code.request': [
          { guard: 'hasDetailsProblems', actions: 'showDetailsProblems' },
          { guard: 'areMessagesClosed', actions: 'dismissProblem' },
          { guard: 'isToWait', actions: { type: 'tell', params: { kind: 'tooManyChecks' } } },
          { guard: 'isSigningIn', target: 'checkingAccount', actions: 'clearProblems' },
          { target: 'sendingCode', actions: 'clearProblems' },
        ],
      },
    },

    checkingAccount: {
      description: 'The server is asked whether the number has an account; the person waits.',
      tags: 'busy',
      invoke: {
        src: 'checkAccount',
        input: ({ context }) => ({ phone: phoneOf(context) }),
        onDone: [
          { guard: withAnswer('isFound'), target: 'sendingCode' },
          {
            guard: withAnswer('isLimited'),
            target: 'editing',
            actions: [withAnswer('tellLimit'), 'stopSecond', 'awaitSecond'],
          },
          { target: 'editing', actions: { type: 'becomeSignUp', params: 'accountNotFound' } },
        ],
        onError: { target: 'editing', actions: { type: 'becomeSignUp', params: 'checkFailed' } },
      },
      after: {
        checkTimeout: { target: 'editing', actions: { type: 'becomeSignUp', params: 'checkFailed' } },
      },
    },

    sendingCode: {
      description: 'A captcha is solved and a code is sent; the person may have to solve it, and waits.',
      tags: 'busy',
      invoke: {
        src: 'sendCode',
        input: ({ context }) => ({ phone: phoneOf(context) }),
        onDone: [
          {
            guard: withAnswer('isFirstProjectRefused'),
            target: 'editing',
            actions: closedByAnswer,
          },
          {
            guard: withAnswer('isProjectRefused'),
            target: 'enteringCode',
            actions: closedByAnswer,
          },
          {
            guard: withAnswer('isFirstSendRefused'),
            target: 'editing',
            actions: toldByAnswer,
          },
          {
            guard: withAnswer('isRefused'),
            target: 'enteringCode',
            actions: toldByAnswer,
          },
          {
            target: 'enteringCode',
            actions: [withAnswer('rememberSent'), 'stopSecond', 'awaitSecond'],
          },
        ],
        onError: [
          { guard: 'isResend', target: 'enteringCode', actions: tellNoAnswer },
          { target: 'editing', actions: tellNoAnswer },
        ],
      },
    },

    enteringCode: {
      description: 'The person types the code, asks for another one, or changes the number.',
      on: {
        'details.change': [
          { guard: 'isOtherNumber', target: 'editing', actions: ['changeDetails', 'forgetSent'] },
          { actions: 'changeDetails' },
        ],
        'purpose.choose': { guard: 'isOtherPurpose', actions: ['choosePurpose', 'clearProblems'] },
        'code.change': { actions: 'changeCode' },
        'code.submit': [
          { guard: 'hasCodeProblems', actions: 'showCodeProblems' },
          { target: 'verifying', actions: 'clearProblems' },
        ],
        'code.resend': { guard: 'isResendAllowed', target: 'sendingCode', actions: 'clearProblems' },
      },
    },

    verifying: {
      description: 'The service is asked whether the code is right; the person waits.',
      tags: 'busy',
      invoke: {
        src: 'confirmCode',
        input: ({ context }) => confirmationOf(context),
        onDone: [
          {
            guard: withAnswer('isWithoutAccount'),
            target: 'editing',
            actions: ['forgetSent', { type: 'becomeSignUp', params: 'accountNotFound' }],
          },
          {
            guard: withAnswer('isCodeSpent'),
            target: 'enteringCode',
            actions: [withAnswer('tellRefusal'), 'allowResend'],
          },
          {
            guard: withAnswer('isRefused'),
            target: 'enteringCode',
            actions: withAnswer('tellRefusal'),
          },
          { target: 'done' },
        ],
        onError: { target: 'enteringCode', actions: tellNoAnswer },
      },
    },

    done: {
      description: 'The number is confirmed, and what the code was for is done.',
      type: 'final',
    },
  },
})

/** Whether there is a choice between signing in and signing up. */
function isForAccess({ purpose }: PhoneOtpContext): boolean {
  return purpose === 'signIn' || purpose === 'signUp'
}

/** A function of the project refuses who has no account. */
function isBlocked(failure: Failure): boolean {
  return failure.kind === 'auth' && failure.code === 'blocked-by-function'
}

/** A second captcha in a row that is not taken is no accident: the keys of the project, or its address, are not right. */
function isProjectRefused(context: PhoneOtpContext, answer: SendAnswer): boolean {
  if (answer.ok) return false
  return answer.error.kind === 'noMessages' || (context.isCaptchaRefused && isCaptchaRefused(answer.error))
}

/** The service did not take the proof that somebody solved it; what went wrong before is the browser's, or the network's. */
function isCaptchaRefused(failure: Failure): boolean {
  return failure.kind === 'auth' && failure.code === 'captcha-check-failed'
}

/** Whether no other code can do for this one, so that another message is needed: it was over, or accepted already. */
function isCodeSpent(failure: Failure): boolean {
  if (failure.kind === 'auth')
    return failure.code === 'code-expired' || failure.code === 'invalid-verification-id'
  return failure.kind === 'data'
}

/** A refusal is answered by typing anew; a limit is not. */
function exceptRefusal(problem: PhoneOtpProblem | null): PhoneOtpProblem | null {
  return problem?.kind === 'refused' ? null : problem
}

function nameProblems({ purpose, name }: PhoneOtpContext): PhoneFormProblem[] {
  const checked = checkName(name)
  return purpose === 'signUp' && !checked.ok ? [{ field: 'name', ...checked.error }] : []
}

function detailsProblems(context: PhoneOtpContext): PhoneFormProblem[] {
  const checked = checkPhone(readPhone(context.phone))
  return [...nameProblems(context), ...(checked.ok ? [] : [{ field: 'phone' as const, ...checked.error }])]
}

/** The name is asked again: the purpose can be changed after the code was sent. */
function codeProblems(context: PhoneOtpContext): PhoneFormProblem[] {
  if (!context.sent) return [{ field: 'code', kind: 'noCode' }]
  const checked = checkSmsCode(context.code)
  return [...nameProblems(context), ...(checked.ok ? [] : [{ field: 'code' as const, ...checked.error }])]
}

// The states that need these are reached only with a form that was checked.
const phoneOf = ({ phone }: PhoneOtpContext): string => granted(checkPhone(readPhone(phone)))

const confirmationOf = ({ purpose, sent, code, name }: PhoneOtpContext) => ({
  purpose,
  ...inPlace(sent),
  code: granted(checkSmsCode(code)),
  name: purpose === 'signUp' ? granted(checkName(name)) : '',
})
