import { type AnyEventObject, fromCallback, fromPromise } from 'xstate'
import {
  type DocumentRecord,
  type DocumentType,
  type IdentityDetails,
  safeFileName,
} from '../../domain/identity.ts'
import { err, ok } from '../../domain/result.ts'
import { identityUploadMachine, type SubmissionProblem } from '../../machines/identityUpload.ts'
import { failureOf } from '../browser/failure.ts'

/** A document that keeps the rules. It stays outside of the machine, whose context is plain data. */
export interface ChosenDocument {
  readonly file: File
  readonly type: DocumentType
}

// The storage's SDK is fetched with the first use of it.
const loadStorage = () => import('../services/files.ts')
const loadRecords = () => import('../services/identityFiles.ts')

/** The machine with everything it needs in a browser. `chosen`: the document in the form at that moment. */
export const identityUpload = (chosen: () => ChosenDocument | null) =>
  identityUploadMachine.provide({
    actors: {
      openSubmission: fromPromise(({ input: { uid } }) =>
        step(async () => {
          const { isRecorded, lastSubmission, openSubmission } = await loadRecords()
          const last = await lastSubmission(uid)
          // A page that was closed may have left a document behind. It is deleted before another one is sent.
          if (last && !(await isRecorded(last.name)))
            await (await loadStorage()).removeDocument(uid, last.name)
          const name = await openSubmission(uid, last)
          return name === null ? err({ kind: 'limitReached' }) : ok(name)
        }),
      ),

      upload: fromCallback<AnyEventObject, { uid: string; name: string }>(({ sendBack, input }) => {
        const canceled = new AbortController()
        const { signal } = canceled
        const send = async () => {
          const document = chosen()
          if (!document) return err<SubmissionProblem>({ kind: 'noDocument' })
          const { uploadDocument } = await loadStorage()
          const content = { content: document.file, type: document.type }
          const onProgress = (share: number) =>
            signal.aborted || sendBack({ type: 'upload.progressed', share })
          await uploadDocument(input.uid, input.name, content, { onProgress, signal })
          return ok(null)
        }
        step(send).then((done) => {
          if (signal.aborted) return
          sendBack(done.ok ? { type: 'upload.stored' } : { type: 'upload.failed', problem: done.error })
        })
        return () => canceled.abort()
      }),

      record: fromPromise(({ input: { uid, name, submission } }) =>
        step(async () => {
          const { fetchSubmitted, recordFile } = await loadRecords()
          const { previousId } = submission
          const previous = previousId === null ? null : await fetchSubmitted(previousId)
          const details = submission.details ?? previous
          const document = submission.hasDocument ? await documentRecord(uid, name, chosen()) : previous
          if (!details || !document) return err({ kind: 'noDocument' })
          await recordFile(uid, name, details, document)
          return ok(null)
        }),
      ),

      discard: fromPromise(async ({ input: { uid, name } }) => {
        try {
          await (await loadStorage()).removeDocument(uid, name)
          return 'removed'
        } catch (error) {
          // A file that is recorded can't be taken back.
          if (await (await loadRecords()).isRecorded(name)) return 'recorded'
          throw error
        }
      }),
    },
  })

/** What was handed in before, as the form shows it again. Fails with `fetchFiles`. */
export async function submittedDetails(id: string): Promise<IdentityDetails> {
  return (await loadRecords()).fetchSubmitted(id)
}

async function documentRecord(
  uid: string,
  name: string,
  document: ChosenDocument | null,
): Promise<DocumentRecord | null> {
  if (!document) return null
  const { documentAddress } = await loadStorage()
  const { file, type } = document
  return {
    fileName: safeFileName(file.name),
    fileType: type,
    fileSize: file.size,
    downloadUrl: await documentAddress(uid, name),
  }
}

type Done<T> = ReturnType<typeof ok<T>> | ReturnType<typeof err<SubmissionProblem>>

/** Does the work. When a service refuses it or the network fails, the answer is a problem. */
async function step<T>(work: () => Promise<Done<T>>): Promise<Done<T>> {
  try {
    return await work()
  } catch (error) {
    return err(problemOf(error))
  }
}

function problemOf(error: unknown): SubmissionProblem {
  const failure = failureOf(error)
  switch (failure.kind) {
    case 'network':
      return { kind: 'network' }
    case 'storage':
      return failure.code === 'unauthenticated' ? { kind: 'notAuthenticated' } : failure
    case 'data':
      return { kind: failure.cause === 'denied' ? 'refused' : 'notRecorded' }
    case 'auth':
    case 'authOther':
    case 'noMessages':
    case 'function':
      return { kind: 'notRecorded' }
  }
}
