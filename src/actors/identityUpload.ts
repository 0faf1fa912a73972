import { type AnyEventObject, fromCallback, fromPromise } from 'xstate'
import {
  type DocumentRecord,
  type DocumentType,
  type IdentityDetails,
  sanitizeFileName,
} from '../../domain/account/identity.ts'
import { err, ok } from '../../domain/common/result.ts'
import { identityUploadMachine, type SubmissionProblem } from '../../machines/identityUpload.ts'
import { toFailure } from '../browser/failure.ts'

/** The document stays outside the machine because the machine's context is plain data. */
export interface ChosenDocument {
  readonly file: File
  readonly type: DocumentType
}

const loadStorage = () => import('../services/files.ts')
const loadRecords = () => import('../services/identityFiles.ts')

/** `chosen` returns the document in the form at the time of the call. */
export const createIdentityUploadLogic = (chosen: () => ChosenDocument | null) =>
  identityUploadMachine.provide({
    actors: {
      openSubmission: fromPromise(({ input: { uid } }) =>
        withSubmissionProblems(async () => {
          const { isFileRecorded, fetchLastSubmission, openSubmission } = await loadRecords()
          const last = await fetchLastSubmission(uid)
          // A page that was closed during an upload may have left a document.
          if (last && !(await isFileRecorded(last.name)))
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
        withSubmissionProblems(send).then((done) => {
          if (signal.aborted) return
          sendBack(done.ok ? { type: 'upload.stored' } : { type: 'upload.failed', problem: done.error })
        })
        return () => canceled.abort()
      }),

      record: fromPromise(({ input: { uid, name, submission } }) =>
        withSubmissionProblems(async () => {
          const { fetchSubmittedFile, recordFile } = await loadRecords()
          const { previousId } = submission
          const previous = previousId === null ? null : await fetchSubmittedFile(previousId)
          const details = submission.details ?? previous
          const document = submission.hasDocument ? await buildDocumentRecord(uid, name, chosen()) : previous
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
          // A recorded file can't be withdrawn.
          if (await (await loadRecords()).isFileRecorded(name)) return 'recorded'
          throw error
        }
      }),
    },
  })

/** @throws a failure of the operation `fetchFiles`. */
export async function fetchSubmittedDetails(id: string): Promise<IdentityDetails> {
  return (await loadRecords()).fetchSubmittedFile(id)
}

async function buildDocumentRecord(
  uid: string,
  name: string,
  document: ChosenDocument | null,
): Promise<DocumentRecord | null> {
  if (!document) return null
  const { fetchDocumentAddress } = await loadStorage()
  const { file, type } = document
  return {
    fileName: sanitizeFileName(file.name),
    fileType: type,
    fileSize: file.size,
    downloadUrl: await fetchDocumentAddress(uid, name),
  }
}

type Done<T> = ReturnType<typeof ok<T>> | ReturnType<typeof err<SubmissionProblem>>

async function withSubmissionProblems<T>(work: () => Promise<Done<T>>): Promise<Done<T>> {
  try {
    return await work()
  } catch (error) {
    return err(toSubmissionProblem(error))
  }
}

function toSubmissionProblem(error: unknown): SubmissionProblem {
  const failure = toFailure(error)
  switch (failure.kind) {
    case 'network':
      return { kind: 'network' }
    case 'storage':
      return failure.code === 'unauthenticated' ? { kind: 'notAuthenticated' } : failure
    case 'data':
      return { kind: failure.cause === 'denied' ? 'refused' : 'notRecorded' }
    case 'auth':
    case 'passwordPolicy':
    case 'googleAccount':
    case 'authOther':
    case 'noMessages':
    case 'function':
      return { kind: 'notRecorded' }
  }
}
