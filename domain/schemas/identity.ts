import {
  ID_TYPES,
  IDENTITY_ITEMS,
  parseIdentityStatus,
  sanitizeFileName,
  sanitizeReason,
} from '../identity.ts'
import {
  fallback,
  integer,
  nullable,
  number,
  object,
  picklist,
  string,
  transform,
  unknown,
} from '../schema.ts'
import type { InstantSchema } from './instant.ts'

/** A submission as its user may see it. Every status except 'approved' and 'rejected' awaits a decision. */
export const buildIdentityFileSchema = (instant: InstantSchema) =>
  transform(
    object({
      id: string,
      fileName: fallback(string, ''),
      status: unknown,
      rejectedItem: fallback(picklist(...IDENTITY_ITEMS), null),
      rejectionReason: unknown,
      expirationDate: fallback(string, ''),
      createdAt: nullable(instant),
    }),
    ({ fileName, status, rejectionReason, createdAt, ...fields }) => ({
      ...fields,
      fileName: sanitizeFileName(fileName),
      status: parseIdentityStatus(status),
      rejectionReason: sanitizeReason(rejectionReason),
      createdAt: createdAt ?? 0,
    }),
  )

/** All details and the document of a submission, for submitting it again. */
export const submittedIdentitySchema = object({
  fullName: string,
  idType: picklist(...ID_TYPES),
  idNumber: string,
  issuedBy: string,
  expirationDate: string,
  dateOfBirth: string,
  fileName: string,
  fileType: string,
  fileSize: number,
  downloadUrl: string,
})

/** The submission that the user opened last, and how many the user has opened within a day. */
export const submissionSchema = object({ name: string, count: integer })
