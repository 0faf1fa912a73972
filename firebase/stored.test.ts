import type { WireFields, WireValue } from 'service-emulators/firestore'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  buildIdentityFileSchema,
  submissionSchema,
  submittedIdentitySchema,
} from '../domain/account/identitySchema.ts'
import { buildOwnershipSchema, buildProfileSchema } from '../domain/account/profileSchema.ts'
import { buildContactSchema } from '../domain/people/contactSchema.ts'
import { EMPTY_SUBSCRIPTION } from '../domain/prices/plans.ts'
import {
  buildSubmission,
  CONTACT,
  FILE_ID,
  IDENTITY_FILE,
  NEW_PROFILE,
  NOW,
  OWNER_UID,
  PHONE_PROFILE,
} from './testing/firestore.ts'

// The app and the functions can read everything that the rules let users write.

const instant = v.pipe(
  v.date(),
  v.transform((at) => at.getTime()),
)

function plain(value: WireValue): unknown {
  if ('mapValue' in value) return plainFields(value.mapValue.fields ?? {})
  if ('timestampValue' in value) return new Date(value.timestampValue)
  if ('integerValue' in value) return Number(value.integerValue)
  return Object.values(value)[0]
}

const plainFields = (fields: WireFields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(value)]))

const read = <T>(schema: v.GenericSchema<unknown, T>, id: string, fields: WireFields): T =>
  v.parse(schema, { ...plainFields(fields), id })

test('parsing an accepted profile returns the stored values', () => {
  for (const [fields, madeWith] of [
    [NEW_PROFILE, 'address'],
    [PHONE_PROFILE, 'phone'],
  ] as const) {
    const written = plainFields(fields)
    const { email, name, phone } = written
    expect(read(buildProfileSchema(instant), OWNER_UID, fields)).toEqual({
      ...{ email, name, phone },
      subscription: EMPTY_SUBSCRIPTION,
    })
    expect(read(buildOwnershipSchema(instant), OWNER_UID, fields)).toMatchObject({ madeWith })
  }
})

test('the schemas parse contacts, identity files and submissions that rules accept', () => {
  const { name, phone, userId } = plainFields(CONTACT)
  expect(read(buildContactSchema(instant), 'c1', CONTACT)).toMatchObject({ id: 'c1', name, phone, userId })
  const { fileName, fullName, downloadUrl } = plainFields(IDENTITY_FILE)
  expect(read(buildIdentityFileSchema(instant), FILE_ID, IDENTITY_FILE)).toMatchObject({
    ...{ id: FILE_ID, fileName, status: 'pending', createdAt: NOW },
  })
  expect(read(submittedIdentitySchema, FILE_ID, IDENTITY_FILE)).toMatchObject({
    fileName,
    fullName,
    downloadUrl,
  })
  expect(read(submissionSchema, OWNER_UID, buildSubmission(FILE_ID, 2))).toEqual({ name: FILE_ID, count: 2 })
})
