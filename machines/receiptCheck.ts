/**
 * Reads the code of a receipt with the camera or from a picture, and verifies it without a network. It exists
 * because the camera can be refused, missing or taken away, a picture can have no code, and a code can be
 * genuine, altered or of another deployment. The screen never calls a receipt genuine without a verified
 * signature.
 */
import { type AnyEventObject, assign, fromCallback, fromPromise, sendTo, setup } from 'xstate'
import type { Result } from '../domain/common/result.ts'
import type { ReceiptCodeProblem, ReceiptFacts } from '../domain/transfers/receiptCode.ts'
import {
  assertDefined,
  rejectUnprovided,
  throwUnprovided,
  unwrapOk,
  unwrapRefusal,
  withAnswer,
} from './actors.ts'

/** `refused`: by the user or a policy. `missing`: no camera. `failed`: taken by another program, or broken. */
export type CameraProblem = 'refused' | 'missing' | 'failed'

/** `unreadable`: the file is not a picture. */
export type PictureProblem = 'noCode' | 'unreadable'

/** `notLoaded`: the code of this app is missing. */
export type ReadingProblem = CameraProblem | PictureProblem | 'notLoaded'

export type ReceiptCheckEvent =
  | { type: 'camera.start' }
  | { type: 'camera.stop' }
  | { type: 'camera.opened'; hasTorch: boolean }
  | { type: 'camera.failed'; problem: CameraProblem | 'notLoaded' }
  | { type: 'torch.toggle' }
  | { type: 'code.read'; text: string }
  | { type: 'picture.choose' }
  | { type: 'check.restart' }

interface ReceiptCheckContext {
  /** Text of the code; null until one was read. */
  readonly text: string | null
  readonly facts: ReceiptFacts | null
  readonly refusal: ReceiptCodeProblem | null
  readonly problem: ReadingProblem | null
  /** Null if the camera has no torch. */
  readonly torch: 'off' | 'on' | null
}

type Verdict = Result<ReceiptFacts, ReceiptCodeProblem>

export const receiptCheckMachine = setup({
  types: {
    context: {} as ReceiptCheckContext,
    events: {} as ReceiptCheckEvent,
    /** The text of the code, if the page was opened at the code's address. */
    input: {} as { readonly text: string | null },
  },
  actors: {
    /** Sends `camera.opened` or `camera.failed`, and `code.read`. Switches the torch after `torch.toggle`. */
    watchCamera: fromCallback<AnyEventObject>(throwUnprovided),
    /** Reads the picture that the user has chosen last. */
    readPicture: fromPromise<Result<string, PictureProblem>>(rejectUnprovided),
    verifyCode: fromPromise<Verdict, { text: string }>(rejectUnprovided),
  },
  actions: {
    forget: assign({ text: null, facts: null, refusal: null, problem: null, torch: null }),
    keepText: assign({ text: (_, text: string) => text }),
    keepPictureText: assign({ text: (_, answer: Result<string, PictureProblem>) => unwrapOk(answer) }),
    showPictureProblem: assign({
      problem: (_, answer: Result<string, PictureProblem>) => unwrapRefusal(answer),
    }),
    showProblem: assign({ problem: (_, problem: ReadingProblem) => problem }),
    showFacts: assign({ facts: (_, verdict: Verdict) => unwrapOk(verdict) }),
    showRefusal: assign({ refusal: (_, verdict: Verdict) => unwrapRefusal(verdict) }),
    offerTorch: assign({ torch: (_, hasTorch: boolean) => (hasTorch ? ('off' as const) : null) }),
    switchTorch: assign({ torch: ({ context }) => (context.torch === 'on' ? 'off' : 'on') }),
    tellCamera: sendTo('camera', { type: 'torch.toggle' }),
  },
  guards: {
    hasText: ({ context }) => context.text !== null,
    hasTorch: ({ context }) => context.torch !== null,
    isRead: (_, answer: Result<string, PictureProblem>) => answer.ok,
    isGenuine: (_, verdict: Verdict) => verdict.ok,
  },
  delays: { hintDelay: 8_000 },
}).createMachine({
  id: 'receiptCheck',
  context: ({ input: { text } }) => ({
    text,
    ...{ facts: null, refusal: null, problem: null, torch: null },
  }),
  initial: 'deciding',
  on: {
    'camera.start': { target: '.scanning', actions: 'forget' },
    'picture.choose': { target: '.readingPicture', actions: 'forget' },
  },
  states: {
    deciding: {
      description: 'The page was opened with or without a code; nothing is shown yet.',
      always: [{ guard: 'hasText', target: 'verifying' }, { target: 'choosing' }],
    },

    choosing: {
      description: 'The user can open the camera or choose a picture, and reads what did not work before.',
    },

    scanning: {
      description: 'The camera is opened or open; the user holds it over the code, or gives up.',
      initial: 'opening',
      invoke: {
        id: 'camera',
        src: 'watchCamera',
        onError: { target: 'choosing', actions: { type: 'showProblem', params: 'failed' } },
      },
      on: {
        // A second press would open the camera twice.
        'camera.start': {},
        'camera.stop': 'choosing',
        'camera.failed': {
          target: 'choosing',
          actions: { type: 'showProblem', params: ({ event }) => event.problem },
        },
        'code.read': {
          target: 'verifying',
          actions: { type: 'keepText', params: ({ event }) => event.text },
        },
        'torch.toggle': { guard: 'hasTorch', actions: ['switchTorch', 'tellCamera'] },
      },
      states: {
        opening: {
          description: 'The browser asks for the camera; the user allows it, or chooses a picture.',
          on: {
            'camera.opened': {
              target: 'looking',
              actions: { type: 'offerTorch', params: ({ event }) => event.hasTorch },
            },
          },
        },
        looking: {
          description: 'No code was seen yet; the user holds the camera over it.',
          after: { hintDelay: 'hinting' },
        },
        hinting: {
          description: 'No code was seen for a while; the user reads about light, distance and pictures.',
        },
      },
    },

    readingPicture: {
      description: 'The app looks for a code in the picture; the user waits.',
      invoke: {
        src: 'readPicture',
        onDone: [
          { guard: withAnswer('isRead'), target: 'verifying', actions: withAnswer('keepPictureText') },
          { target: 'choosing', actions: withAnswer('showPictureProblem') },
        ],
        onError: { target: 'choosing', actions: { type: 'showProblem', params: 'notLoaded' } },
      },
    },

    verifying: {
      description: 'The app verifies the signature; the user waits.',
      invoke: {
        src: 'verifyCode',
        input: ({ context }) => ({ text: assertDefined(context.text) }),
        onDone: [
          { guard: withAnswer('isGenuine'), target: 'genuine', actions: withAnswer('showFacts') },
          { target: 'refused', actions: withAnswer('showRefusal') },
        ],
        onError: { target: 'choosing', actions: { type: 'showProblem', params: 'notLoaded' } },
      },
    },

    genuine: {
      description: 'The signature is ours; the user reads the facts, and what the code can’t know.',
      on: { 'check.restart': { target: 'choosing', actions: 'forget' } },
    },

    refused: {
      description: 'The code proves nothing; the user reads why, and can check another one.',
      on: { 'check.restart': { target: 'choosing', actions: 'forget' } },
    },
  },
})
