/**
 * Submits an identity document: opens a submission, uploads the document directly to the storage, and records
 * the file. It exists because each step can fail, hang or be canceled, and nothing may stay half done: a
 * stored document without a record is recorded by a retry, without another upload, or deleted. Form, document
 * and URL stay outside of the machine. Specification, sections 4, 5, 8 and 9.
 */
import { type AnyEventObject, assertEvent, assign, fromCallback, fromPromise, setup } from 'xstate'
import { type IdentityDetails, STORAGE_RETRY_LIMITS } from '../domain/account/identity.ts'
import type { Result } from '../domain/common/result.ts'
import type { StorageErrorCode } from '../domain/errors/storageErrorCode.ts'
import {
  assertDefined,
  rejectUnprovided,
  throwUnprovided,
  unwrapOk,
  unwrapRefusal,
  withAnswer,
} from './actors.ts'

export type SubmissionProblem =
  | { readonly kind: 'network' | 'notAuthenticated' | 'noDocument' | 'limitReached' | 'notRecorded' }
  /** Ended by another window, or the user may not submit. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'storage'; readonly code: StorageErrorCode | 'other' }

export interface Submission {
  /** False if an earlier document still counts. */
  readonly hasDocument: boolean
  /** Null if earlier details still count. */
  readonly details: IdentityDetails | null
  /** The earlier submission that provides the other part. */
  readonly previousId: string | null
}

export interface IdentityUploadContext {
  readonly uid: string
  readonly submission: Submission | null
  /** Null without an open submission. */
  readonly name: string | null
  /** From 0 to 1. */
  readonly uploadedShare: number
  readonly isStored: boolean
  readonly problem: SubmissionProblem | null
}

export type IdentityUploadEvent =
  | { type: 'submission.send'; submission: Submission }
  | { type: 'submission.retry' }
  /** Ignored once the file is being recorded. */
  | { type: 'submission.cancel' }
  /** Sent by `upload`. */
  | { type: 'upload.progressed'; share: number }
  | { type: 'upload.stored' }
  | { type: 'upload.failed'; problem: SubmissionProblem }

type Step<T> = Result<T, SubmissionProblem>

const TIMEOUT_PROBLEM = { kind: 'storage', code: 'retry-limit-exceeded' } as const

const failWith = (params: SubmissionProblem) =>
  ({ target: 'failed', actions: { type: 'showProblem', params } }) as const

const withProblem = <Name extends string>(type: Name) => ({
  type,
  params: ({ event }: { event: { problem: SubmissionProblem } }) => event.problem,
})

const withRefusal = <Name extends string>(type: Name) => ({
  type,
  params: ({ event }: { event: { output: Step<unknown> } }) => unwrapRefusal(event.output),
})

export const identityUploadMachine = setup({
  types: {
    context: {} as IdentityUploadContext,
    events: {} as IdentityUploadEvent,
    input: {} as { uid: string },
    tags: {} as 'busy',
  },
  actors: {
    /** Also deletes a document that the previous submission left without a record. */
    openSubmission: fromPromise<Step<string>, { uid: string }>(rejectUnprovided),
    /** Sends `upload.progressed`, then `upload.stored` or `upload.failed`. Stopping cancels the upload. */
    upload: fromCallback<AnyEventObject, { uid: string; name: string }>(throwUnprovided),
    /** Repeating it is safe. */
    record: fromPromise<Step<null>, { uid: string; name: string; submission: Submission }>(rejectUnprovided),
    /** Keeps the document if its file turns out to be recorded. */
    discard: fromPromise<'removed' | 'recorded', { uid: string; name: string }>(rejectUnprovided),
  },
  actions: {
    showProblem: assign((_, problem: SubmissionProblem) => ({ problem })),
    clearProblem: assign({ problem: null }),
    recordSubmission: assign(({ event }) => {
      assertEvent(event, 'submission.send')
      return { submission: event.submission }
    }),
    recordName: assign((_, opened: Step<string>) => ({ name: unwrapOk(opened) })),
    recordUpload: assign({ isStored: true, uploadedShare: 1 }),
    endSubmission: assign({ name: null, isStored: false, uploadedShare: 0 }),
    resetProgress: assign({ uploadedShare: 0 }),
    recordProgress: assign(({ event }) => {
      assertEvent(event, 'upload.progressed')
      return { uploadedShare: event.share }
    }),
  },
  guards: {
    isOk: (_, step: Step<unknown>) => step.ok,
    hasDocumentToUpload: ({ context }) => assertDefined(context.submission).hasDocument && !context.isStored,
    hasNoOpenSubmission: ({ context }) => context.name === null,
    hasProgressed: ({ context, event }) => {
      assertEvent(event, 'upload.progressed')
      return event.share > context.uploadedShare
    },
    isSubmissionEnded: (_, problem: SubmissionProblem) => endsSubmission(problem),
    isRecorded: (_, outcome: 'removed' | 'recorded') => outcome === 'recorded',
  },
  delays: {
    /** The connection counts as broken after this time without progress. */
    stallTimeout: 5000,
    uploadTimeout: STORAGE_RETRY_LIMITS.upload,
    operationTimeout: STORAGE_RETRY_LIMITS.operation,
  },
}).createMachine({
  id: 'identityUpload',
  context: ({ input }) => ({
    uid: input.uid,
    submission: null,
    name: null,
    uploadedShare: 0,
    isStored: false,
    problem: null,
  }),
  initial: 'choosing',
  states: {
    choosing: {
      description: 'The user chooses a document, fills in its details, and sends it.',
      on: {
        'submission.send': {
          target: 'selectingStep',
          actions: ['recordSubmission', 'clearProblem'],
        },
      },
    },

    selectingStep: {
      description: 'The first unfinished step follows; this state is left at once.',
      always: [
        { guard: 'hasNoOpenSubmission', target: 'opening' },
        { guard: 'hasDocumentToUpload', target: 'uploading' },
        { target: 'recording' },
      ],
    },

    opening: {
      description: 'The server prepares a place for the document; the user waits, or cancels.',
      tags: 'busy',
      invoke: {
        src: 'openSubmission',
        input: ({ context }) => ({ uid: context.uid }),
        onDone: [
          {
            guard: withAnswer('isOk'),
            target: 'selectingStep',
            actions: withAnswer('recordName'),
          },
          { target: 'failed', actions: withRefusal('showProblem') },
        ],
        onError: failWith({ kind: 'network' }),
      },
      after: { operationTimeout: failWith(TIMEOUT_PROBLEM) },
      on: { 'submission.cancel': 'choosing' },
    },

    uploading: {
      description: 'The document is being uploaded; the user sees the progress, and can cancel.',
      tags: 'busy',
      entry: 'resetProgress',
      invoke: {
        src: 'upload',
        input: ({ context }) => ({ uid: context.uid, name: assertDefined(context.name) }),
        onError: failWith({ kind: 'network' }),
      },
      after: { uploadTimeout: failWith(TIMEOUT_PROBLEM) },
      on: {
        'upload.stored': { target: 'recording', actions: 'recordUpload' },
        'upload.failed': [
          {
            guard: withProblem('isSubmissionEnded'),
            target: 'failed',
            actions: [withProblem('showProblem'), 'endSubmission'],
          },
          { target: 'failed', actions: withProblem('showProblem') },
        ],
        'submission.cancel': 'discarding',
      },
      initial: 'sending',
      states: {
        sending: {
          description: 'The document arrives in parts; the user sees the progress.',
          after: { stallTimeout: 'retrying' },
          on: {
            'upload.progressed': {
              guard: 'hasProgressed',
              target: 'sending',
              reenter: true,
              actions: 'recordProgress',
            },
          },
        },
        // Only progress beyond the repeated part shows that the connection is back.
        retrying: {
          description: 'Nothing has arrived for a while; the library retries, and the user reads so.',
          on: {
            'upload.progressed': { guard: 'hasProgressed', target: 'sending', actions: 'recordProgress' },
          },
        },
      },
    },

    recording: {
      description: 'The document has arrived, and is recorded with its details; the user waits.',
      tags: 'busy',
      invoke: {
        src: 'record',
        input: ({ context }) => ({
          uid: context.uid,
          name: assertDefined(context.name),
          submission: assertDefined(context.submission),
        }),
        onDone: [
          { guard: withAnswer('isOk'), target: 'done' },
          {
            guard: withRefusal('isSubmissionEnded'),
            target: 'failed',
            actions: [withRefusal('showProblem'), 'endSubmission'],
          },
          { target: 'failed', actions: withRefusal('showProblem') },
        ],
        onError: failWith({ kind: 'network' }),
      },
      after: { operationTimeout: failWith(TIMEOUT_PROBLEM) },
    },

    failed: {
      description: 'The submission has failed; the user reads why, tries again, or cancels.',
      on: {
        'submission.retry': { target: 'selectingStep', actions: 'clearProblem' },
        'submission.cancel': [
          { guard: 'hasNoOpenSubmission', target: 'choosing', actions: 'clearProblem' },
          { target: 'discarding', actions: 'clearProblem' },
        ],
      },
    },

    discarding: {
      description: 'The user has canceled, and the stored parts are deleted; the user waits.',
      tags: 'busy',
      invoke: {
        src: 'discard',
        input: ({ context }) => ({ uid: context.uid, name: assertDefined(context.name) }),
        onDone: [
          { guard: withAnswer('isRecorded'), target: 'done' },
          { target: 'choosing', actions: 'endSubmission' },
        ],
        // The next submission deletes a document that is left or still arrives.
        onError: { target: 'choosing', actions: 'endSubmission' },
      },
      after: { stallTimeout: { target: 'choosing', actions: 'endSubmission' } },
    },

    done: {
      description: 'The document is submitted; the user sees that it is being reviewed.',
      type: 'final',
    },
  },
})

/** The name is invalid, so a retry opens another submission. */
const endsSubmission = (problem: SubmissionProblem): boolean =>
  problem.kind === 'refused' || (problem.kind === 'storage' && problem.code === 'unauthorized')
