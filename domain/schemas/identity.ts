import { ID_TYPES, IDENTITY_ITEMS, identityStatus, safeFileName, safeReason } from '../identity.ts'
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
import type { Instant } from './instant.ts'

/** What a person may know of a file they handed in. Any status but two waits for a decision. */
export const identityFileSchema = (instant: Instant) =>
  transform(
    object({
      id: string,
      fileName: fallback(string, ''),
      status: unknown,
      rejectedItem: fallback(picklist(...IDENTITY_ITEMS), null),
      rejectionReason: unknown,
      createdAt: nullable(instant),
    }),
    ({ fileName, status, rejectionReason, createdAt, ...fields }) => ({
      ...fields,
      fileName: safeFileName(fileName),
      status: identityStatus(status),
      rejectionReason: safeReason(rejectionReason),
      createdAt: createdAt ?? 0,
    }),
  )

/** Details and document of a file, whole, as they are handed in once more. */
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

/** The submission that a person opened last. */
export const submissionSchema = object({ name: string, count: integer })
