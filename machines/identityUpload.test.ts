import { afterEach, describe, expect, test } from 'vitest'
import { type AnyEventObject, createActor, fromCallback, SimulatedClock } from 'xstate'
import type { IdentityDetails } from '../domain/account/identity.ts'
import { MINUTE } from '../domain/common/duration.ts'
import { err, ok } from '../domain/common/result.ts'
import {
  type IdentityUploadEvent,
  identityUploadMachine,
  type Submission,
  type SubmissionProblem,
} from './identityUpload.ts'
import { createFakeActor, flushQueue } from './testing/fakeActor.ts'
import { walk } from './testing/walk.ts'

const details: IdentityDetails = {
  fullName: 'Aïssatou Diallo',
  idType: 'passport',
  idNumber: 'O00123456',
  issuedBy: 'République de Guinée',
  expirationDate: '2030-01-31',
  dateOfBirth: '1990-05-17',
}
const first: Submission = { hasDocument: true, details, previousId: null }
const detailsOnly: Submission = { hasDocument: false, details, previousId: 'file1' }
const lost: SubmissionProblem = { kind: 'network' }
const refused: SubmissionProblem = { kind: 'refused' }
const storage = (code: 'unauthorized' | 'quota-exceeded' | 'retry-limit-exceeded'): SubmissionProblem => ({
  kind: 'storage',
  code,
})

type Step = ReturnType<typeof ok<string>> | ReturnType<typeof err<SubmissionProblem>>

let stop = () => {}
afterEach(() => stop())

function createTestActor() {
  const clock = new SimulatedClock()
  const openSubmission = createFakeActor<Step, { uid: string }>()
  const record = createFakeActor<
    ReturnType<typeof ok<null>> | ReturnType<typeof err<SubmissionProblem>>,
    { uid: string; name: string; submission: Submission }
  >()
  const discard = createFakeActor<'removed' | 'recorded', { uid: string; name: string }>()
  const uploads: { name: string; tell: (event: IdentityUploadEvent) => void; isCanceled: boolean }[] = []
  const actor = createActor(
    identityUploadMachine.provide({
      actors: {
        openSubmission: openSubmission.logic,
        record: record.logic,
        discard: discard.logic,
        upload: fromCallback<AnyEventObject, { uid: string; name: string }>(
          ({ sendBack, input: { name } }) => {
            const upload = { name, tell: sendBack, isCanceled: false }
            uploads.push(upload)
            return () => {
              upload.isCanceled = true
            }
          },
        ),
      },
    }),
    { clock, input: { uid: 'ada' } },
  ).start()
  stop = () => actor.stop()
  const tell = async (event: IdentityUploadEvent) => {
    uploads.at(-1)?.tell(event)
    await flushQueue()
  }
  return {
    clock,
    actor,
    openSubmission,
    record,
    discard,
    uploads,
    send: (event: IdentityUploadEvent) => actor.send(event),
    progress: (share: number) => tell({ type: 'upload.progressed', share }),
    stored: () => tell({ type: 'upload.stored' }),
    fails: (problem: SubmissionProblem) => tell({ type: 'upload.failed', problem }),
    value: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

async function uploading() {
  const started = createTestActor()
  started.send({ type: 'submission.send', submission: first })
  await started.openSubmission.answer(ok('name1'))
  return started
}

describe('a first submission', () => {
  test('the first identity submission is opened, uploaded and recorded', async () => {
    const started = createTestActor()
    expect(started.value()).toBe('choosing')
    started.send({ type: 'submission.send', submission: first })
    expect(started.value()).toBe('opening')
    expect(started.openSubmission.asked).toEqual([{ uid: 'ada' }])
    await started.openSubmission.answer(ok('name1'))
    expect(started.value()).toEqual({ uploading: 'sending' })
    await started.progress(0.5)
    expect(started.context()).toMatchObject({ uploadedShare: 0.5, isStored: false })
    await started.stored()
    expect(started.value()).toBe('recording')
    expect(started.record.asked).toEqual([{ uid: 'ada', name: 'name1', submission: first }])
    await started.record.answer(ok(null))
    expect(started.actor.getSnapshot().status).toBe('done')
  })

  test('an identity submission needs no upload if it has only details', async () => {
    const { send, openSubmission, value, uploads } = createTestActor()
    send({ type: 'submission.send', submission: detailsOnly })
    await openSubmission.answer(ok('name1'))
    expect(value()).toBe('recording')
    expect(uploads).toEqual([])
  })
})

describe('a broken connection', () => {
  test('five seconds without progress show an upload as retrying', async () => {
    const { clock, value, progress } = await uploading()
    clock.increment(4999)
    await progress(0.25)
    clock.increment(4999)
    expect(value()).toEqual({ uploading: 'sending' })
    clock.increment(1)
    expect(value()).toEqual({ uploading: 'retrying' })
    // Sending a part again is not progress.
    await progress(0.25)
    expect(value()).toEqual({ uploading: 'retrying' })
    await progress(0.5)
    expect(value()).toEqual({ uploading: 'sending' })
  })

  test('an upload fails after ten minutes, and a retry repeats it @spec-upload-timeout', async () => {
    const { clock, value, context, send, uploads, progress } = await uploading()
    await progress(0.5)
    clock.increment(10 * MINUTE - 1)
    expect(value()).toEqual({ uploading: 'retrying' })
    clock.increment(1)
    expect(value()).toBe('failed')
    expect(context().problem).toEqual(storage('retry-limit-exceeded'))
    expect(uploads[0]?.isCanceled).toBe(true)
    send({ type: 'submission.retry' })
    expect([value(), context().uploadedShare]).toEqual([{ uploading: 'sending' }, 0])
    expect(uploads.map(({ name }) => name)).toEqual(['name1', 'name1'])
  })

  test('retrying a failed record of an identity file needs no second upload', async () => {
    const { stored, record, value, send, uploads, context } = await uploading()
    await stored()
    await record.answer(err(lost))
    expect([value(), context().problem]).toEqual(['failed', lost])
    send({ type: 'submission.retry' })
    expect([value(), context().problem]).toEqual(['recording', null])
    expect(uploads).toHaveLength(1)
  })

  test.each(['opening', 'recording'] as const)(
    'a submission in the state %s fails after two silent minutes',
    async (at) => {
      const started = at === 'opening' ? createTestActor() : await uploading()
      if (at === 'opening') started.send({ type: 'submission.send', submission: first })
      else await started.stored()
      expect(started.value()).toBe(at)
      started.clock.increment(2 * MINUTE)
      expect([started.value(), started.context().problem]).toEqual([
        'failed',
        storage('retry-limit-exceeded'),
      ])
    },
  )
})

describe('a refused step', () => {
  test.each([refused, storage('unauthorized')])(
    'a submission ends after the problem %j, and a retry opens another',
    async (problem) => {
      const { fails, send, value, context } = await uploading()
      await fails(problem)
      expect([value(), context().problem, context().name]).toEqual(['failed', problem, null])
      send({ type: 'submission.retry' })
      expect(value()).toBe('opening')
    },
  )

  test('a retry uploads the identity document again if the record was refused', async () => {
    const { stored, record, send, openSubmission, value, context } = await uploading()
    await stored()
    await record.answer(err(refused))
    expect(context()).toMatchObject({ name: null, isStored: false })
    send({ type: 'submission.retry' })
    await openSubmission.answer(ok('name2'))
    expect(value()).toEqual({ uploading: 'sending' })
  })

  test('a submission keeps its name after a problem except a refusal', async () => {
    const { fails, context } = await uploading()
    await fails(storage('quota-exceeded'))
    expect(context()).toMatchObject({ name: 'name1', problem: storage('quota-exceeded') })
  })

  test('a refusal to open a submission is shown until the user cancels', async () => {
    const { send, openSubmission, value, context } = createTestActor()
    send({ type: 'submission.send', submission: first })
    await openSubmission.answer(err({ kind: 'limitReached' }))
    expect([value(), context().problem]).toEqual(['failed', { kind: 'limitReached' }])
    send({ type: 'submission.cancel' })
    expect([value(), context().problem]).toEqual(['choosing', null])
  })
})

describe('canceling a submission', () => {
  test('canceling an identity submission cancels the upload and deletes the stored part', async () => {
    const { send, uploads, value, discard, context } = await uploading()
    send({ type: 'submission.cancel' })
    expect([value(), uploads[0]?.isCanceled]).toEqual(['discarding', true])
    expect(discard.asked).toEqual([{ uid: 'ada', name: 'name1' }])
    await discard.answer('removed')
    expect([value(), context().name]).toEqual(['choosing', null])
  })

  test('canceling a submission completes it if its file was recorded', async () => {
    const { stored, record, send, discard, actor } = await uploading()
    await stored()
    await record.answer(err(lost))
    send({ type: 'submission.cancel' })
    await discard.answer('recorded')
    expect(actor.getSnapshot().status).toBe('done')
  })

  test('canceling an identity submission returns to the form even without a connection', async () => {
    const failed = await uploading()
    failed.send({ type: 'submission.cancel' })
    await failed.discard.fail()
    expect([failed.value(), failed.context().name]).toEqual(['choosing', null])
    const hanging = await uploading()
    hanging.send({ type: 'submission.cancel' })
    hanging.clock.increment(5000)
    expect([hanging.value(), hanging.context().name]).toEqual(['choosing', null])
  })
})

test('an upload records only a stored file, and forgets none', () => {
  const problems = [lost, refused]
  const asked: IdentityUploadEvent[] = [
    { type: 'submission.send', submission: first },
    { type: 'submission.send', submission: detailsOnly },
    { type: 'submission.retry' },
    { type: 'submission.cancel' },
  ]
  const news: IdentityUploadEvent[] = [
    { type: 'upload.progressed', share: 0.5 },
    { type: 'upload.stored' },
    ...problems.map((problem): IdentityUploadEvent => ({ type: 'upload.failed', problem })),
  ]
  const { paths, untaken } = walk({
    machine: identityUploadMachine,
    input: { uid: 'ada' },
    events: (snapshot) => (snapshot.matches('uploading') ? [...asked, ...news] : asked),
    answers: {
      openSubmission: [ok('name1'), err({ kind: 'limitReached' })],
      record: [ok(null), ...problems.map(err)],
      discard: ['removed', 'recorded'],
    },
    invariant: ({ event, before, after, at }) => {
      const { context } = after
      if (after.matches('recording'))
        expect(context.isStored || context.submission?.hasDocument === false, at).toBe(true)
      // Back in the form, no name is left, and it was dropped only after a request to delete its document.
      if (after.matches('choosing')) expect([context.name, context.isStored], at).toEqual([null, false])
      if (after.matches('choosing') && before.context.name !== null)
        expect(before.matches('discarding'), at).toBe(true)
      if (after.matches('done')) expect(event.type, at).toMatch(/^xstate\.done\.actor/)
      expect(context.problem !== null, at).toBe(after.matches('failed'))
      if (context.isStored) expect(context.name, at).not.toBe(null)
    },
  })
  expect(paths).toBeGreaterThan(100)
  expect(untaken).toEqual([])
})
