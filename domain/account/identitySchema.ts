import * as v from 'valibot'
import type { InstantSchema } from '../common/instant.ts'
import { day, finiteNumber, integer } from '../common/schema.ts'
import {
  ID_TYPES,
  IDENTITY_ITEMS,
  parseIdentityStatus,
  sanitizeFileName,
  sanitizeReason,
} from './identity.ts'

export const buildIdentityFileSchema = (instant: InstantSchema) =>
  v.pipe(
    v.object({
      id: v.string(),
      fileName: v.fallback(v.string(), ''),
      status: v.optional(v.unknown()),
      rejectedItem: v.fallback(v.nullable(v.picklist(IDENTITY_ITEMS)), null),
      rejectionReason: v.optional(v.unknown()),
      expirationDate: v.fallback(day, ''),
      createdAt: v.nullish(instant, null),
    }),
    v.transform(({ fileName, status, rejectionReason, createdAt, ...fields }) => ({
      ...fields,
      fileName: sanitizeFileName(fileName),
      status: parseIdentityStatus(status),
      rejectionReason: sanitizeReason(rejectionReason),
      createdAt: createdAt ?? 0,
    })),
  )

export const submittedIdentitySchema = v.object({
  fullName: v.string(),
  idType: v.picklist(ID_TYPES),
  idNumber: v.string(),
  issuedBy: v.string(),
  expirationDate: v.string(),
  dateOfBirth: v.string(),
  fileName: v.string(),
  fileType: v.string(),
  fileSize: finiteNumber,
  downloadUrl: v.string(),
})

/** The last submission begun, and how many were begun within a day. */
export const submissionSchema = v.object({ name: v.string(), count: integer })
