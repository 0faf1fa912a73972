/**
 * Hands in an identity: opens a submission, uploads its document straight to the storage, and records the file. It exists
 * because each step can fail, hang or be given up, and nothing half-done may stay: a document that could not be recorded
 * is recorded on the next try, without another upload, or taken back. The form, the document and its address stay outside:
 * here are only their shadows. Specification, sections 4, 5, 8 and 9.
 */
import { type AnyEventObject, assertEvent, assign, fromCallback, fromPromise, setup } from 'xstate'
import { type IdentityDetails, STORAGE_RETRY_LIMITS } from '../domain/identity.ts'
import type { Result } from '../domain/result.ts'
import type { StorageCode } from '../domain/storageCode.ts'
import { granted, inPlace, refusalIn, unprovided, unprovidedAnswer, withAnswer } from './actors.ts'

/** Why a step could not be done. */
export type SubmissionProblem =
  | { readonly kind: 'network' | 'notAuthenticated' | 'noDocument' | 'limitReached' | 'notRecorded' }
  /** The submission has ended, by another one in another window, or the person may not hand in anything. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'storage'; readonly code: StorageCode | 'other' }

/** What is handed in. */
export interface Submission {
  /** False when an earlier document counts on and only the details are new. */
  readonly hasDocument: boolean
  /** Null when earlier details count on and only the document is new. */
  readonly details: IdentityDetails | null
  /** The earlier file that the rest comes from; null for the first one. */
  readonly previousId: string | null
}

export interface IdentityUploadContext {
  readonly uid: string
  readonly submission: Submission | null
  /** Of the open submission; null while there is none. */
  readonly name: string | null
  /** How much of the document has arrived, from 0 to 1. */
  readonly share: number
  readonly isStored: boolean
  readonly problem: SubmissionProblem | null
}

export type IdentityUploadEvent =
  | { type: 'submission.send'; submission: Submission }
  | { type: 'submission.retry' }
  /** Back to the form, at any moment before the file is recorded. */
  | { type: 'submission.cancel' }
  /** From `upload`. */
  | { type: 'upload.progressed'; share: number }
  | { type: 'upload.stored' }
  | { type: 'upload.failed'; problem: SubmissionProblem }

type Step<T> = Result<T, SubmissionProblem>

const LOST = { kind: 'network' } as const
const TOO_LONG = { kind: 'storage', code: 'retry-limit-exceeded' } as const

export const identityUploadMachine = setup({
  types: {
    context: {} as IdentityUploadContext,
    events: {} as IdentityUploadEvent,
    input: {} as { uid: string },
    tags: {} as 'busy',
  },
  actors: {
    /** Gives out a name, and takes back what the submission before it may have left without a record. */
    openSubmission: fromPromise<Step<string>, { uid: string }>(unprovidedAnswer),
    /** Sends `upload.progressed`, and at the end `upload.stored` or `upload.failed`. Stopping it cancels the upload. */
    upload: fromCallback<AnyEventObject, { uid: string; name: string }>(unprovided),
    /** Records the file; asked again, it finds it recorded. */
    record: fromPromise<Step<null>, { uid: string; name: string; submission: Submission }>(unprovidedAnswer),
    /** Takes the document back, unless its file turns out to be recorded. */
    discard: fromPromise<'removed' | 'recorded', { uid: string; name: string }>(unprovidedAnswer),
  },
  actions: {
    fail: assign((_, problem: SubmissionProblem) => ({ problem })),
    clearProblem: assign({ problem: null }),
    noteSubmission: assign(({ event }) => {
      assertEvent(event, 'submission.send')
      return { submission: event.submission }
    }),
    noteName: assign((_, opened: Step<string>) => ({ name: granted(opened) })),
    noteStored: assign({ isStored: true, share: 1 }),
    endSubmission: assign({ name: null, isStored: false, share: 0 }),
    startOver: assign({ share: 0 }),
    noteShare: assign(({ event }) => {
      assertEvent(event, 'upload.progressed')
      return { share: event.share }
    }),
  },
  guards: {
    isDone: (_, step: Step<unknown>) => step.ok,
    isUploadLeft: ({ context }) => inPlace(context.submission).hasDocument && !context.isStored,
    isNothingOpen: ({ context }) => context.name === null,
    isFurther: ({ context, event }) => {
      assertEvent(event, 'upload.progressed')
      return event.share > context.share
    },
    isEnded: (_, problem: SubmissionProblem) => endsSubmission(problem),
    isRecorded: (_, outcome: 'removed' | 'recorded') => outcome === 'recorded',
  },
  delays: {
    /** Without news for so long, something is wrong with the connection. */
    stall: 5000,
    uploadLimit: STORAGE_RETRY_LIMITS.upload,
    operationLimit: STORAGE_RETRY_LIMITS.operation,
  },
}).createMachine({
  id: 'identityUpload',
  context: ({ input }) => ({
    uid: input.uid,
    submission: null,
    name: null,
    share: 0,
    isStored: false,
    problem: null,
  }),
  initial: 'choosing',
  states: {
    choosing: {
      description: 'The person chooses a document, fills in what it says, and sends it.',
      on: {
        'submission.send': {
          target: 'goingOn',
          actions: ['noteSubmission', 'clearProblem'],
        },
      },
    },

    goingOn: {
      description: 'The first step that is not done yet follows; nobody ever sees it here.',
      always: [
        { guard: 'isNothingOpen', target: 'opening' },
        { guard: 'isUploadLeft', target: 'uploading' },
        { target: 'recording' },
      ],
    },

    opening: {
      description: 'The server prepares a place for the document; the person waits, or cancels.',
      tags: 'busy',
      invoke: {
        src: 'openSubmission',
        input: ({ context }) => ({ uid: context.uid }),
        onDone: [
          {
            guard: withAnswer('isDone'),
            target: 'goingOn',
            actions: withAnswer('noteName'),
          },
          { target: 'failed', actions: { type: 'fail', params: ({ event }) => refusalIn(event.output) } },
        ],
        onError: { target: 'failed', actions: { type: 'fail', params: LOST } },
      },
      after: { operationLimit: { target: 'failed', actions: { type: 'fail', params: TOO_LONG } } },
      on: { 'submission.cancel': 'choosing' },
    },

    uploading: {
      description: 'The document is on its way; the person sees how much has arrived, and can cancel.',
      tags: 'busy',
      entry: 'startOver',
      invoke: {
        src: 'upload',
        input: ({ context }) => ({ uid: context.uid, name: inPlace(context.name) }),
        onError: { target: 'failed', actions: { type: 'fail', params: LOST } },
      },
      after: { uploadLimit: { target: 'failed', actions: { type: 'fail', params: TOO_LONG } } },
      on: {
        'upload.stored': { target: 'recording', actions: 'noteStored' },
        'upload.failed': [
          {
            guard: { type: 'isEnded', params: ({ event }) => event.problem },
            target: 'failed',
            actions: [{ type: 'fail', params: ({ event }) => event.problem }, 'endSubmission'],
          },
          { target: 'failed', actions: { type: 'fail', params: ({ event }) => event.problem } },
        ],
        'submission.cancel': 'discarding',
      },
      initial: 'sending',
      states: {
        sending: {
          description: 'Parts of the document arrive one after the other; the person sees how much.',
          after: { stall: 'retrying' },
          on: {
            'upload.progressed': {
              guard: 'isFurther',
              target: 'sending',
              reenter: true,
              actions: 'noteShare',
            },
          },
        },
        // It tries a piece at a time; only what goes beyond it says that it got through.
        retrying: {
          description:
            'Nothing has arrived for a while; the library tries by itself, and the person reads so.',
          on: {
            'upload.progressed': { guard: 'isFurther', target: 'sending', actions: 'noteShare' },
          },
        },
      },
    },

    recording: {
      description: 'The document has arrived, and is handed in with what was typed; the person waits.',
      tags: 'busy',
      invoke: {
        src: 'record',
        input: ({ context }) => ({
          uid: context.uid,
          name: inPlace(context.name),
          submission: inPlace(context.submission),
        }),
        onDone: [
          { guard: withAnswer('isDone'), target: 'done' },
          {
            guard: { type: 'isEnded', params: ({ event }) => refusalIn(event.output) },
            target: 'failed',
            actions: [{ type: 'fail', params: ({ event }) => refusalIn(event.output) }, 'endSubmission'],
          },
          { target: 'failed', actions: { type: 'fail', params: ({ event }) => refusalIn(event.output) } },
        ],
        onError: { target: 'failed', actions: { type: 'fail', params: LOST } },
      },
      after: { operationLimit: { target: 'failed', actions: { type: 'fail', params: TOO_LONG } } },
    },

    failed: {
      description: 'It could not be handed in; the person reads why, tries again, or cancels.',
      on: {
        'submission.retry': { target: 'goingOn', actions: 'clearProblem' },
        'submission.cancel': [
          { guard: 'isNothingOpen', target: 'choosing', actions: 'clearProblem' },
          { target: 'discarding', actions: 'clearProblem' },
        ],
      },
    },

    discarding: {
      description: 'The person has canceled, and what has arrived is removed; they wait.',
      tags: 'busy',
      invoke: {
        src: 'discard',
        input: ({ context }) => ({ uid: context.uid, name: inPlace(context.name) }),
        onDone: [
          { guard: withAnswer('isRecorded'), target: 'done' },
          { target: 'choosing', actions: 'endSubmission' },
        ],
        // What is left, or still arrives, goes when the next submission is opened.
        onError: { target: 'choosing', actions: 'endSubmission' },
      },
      after: { stall: { target: 'choosing', actions: 'endSubmission' } },
    },

    done: {
      description: 'The document is handed in; the person sees that it is being looked at.',
      type: 'final',
    },
  },
})

/** With this the name is of no more use: the next try opens another submission. */
const endsSubmission = (problem: SubmissionProblem): boolean =>
  problem.kind === 'refused' || (problem.kind === 'storage' && problem.code === 'unauthorized')
