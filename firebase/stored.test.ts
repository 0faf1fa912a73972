import type { WireFields, WireValue } from 'service-emulators/firestore'
import { expect, test } from 'vitest'
import { EMPTY_SUBSCRIPTION } from '../domain/plans.ts'
import type { Schema } from '../domain/schema.ts'
import { contactSchema } from '../domain/schemas/contact.ts'
import { identityFileSchema, submissionSchema, submittedIdentitySchema } from '../domain/schemas/identity.ts'
import { instantWith } from '../domain/schemas/instant.ts'
import { ownershipSchema, profileSchema } from '../domain/schemas/profile.ts'
import {
  CONTACT,
  FILE,
  FILE_ID,
  MADE_WITH_PHONE,
  NOW,
  OWNER,
  PROFILE,
  submission,
} from './testing/firestore.ts'

// What the rules let people write is what the app and the functions read.

const instant = instantWith((value) => (value instanceof Date ? value.getTime() : null))

function plain(value: WireValue): unknown {
  if ('mapValue' in value) return plainFields(value.mapValue.fields ?? {})
  if ('timestampValue' in value) return new Date(value.timestampValue)
  if ('integerValue' in value) return Number(value.integerValue)
  return Object.values(value)[0]
}

const plainFields = (fields: WireFields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(value)]))

const read = <T>(schema: Schema<T>, id: string, fields: WireFields): T =>
  schema({ ...plainFields(fields), id })

test('a profile that the rules accept is read as it was written', () => {
  for (const [fields, madeWith] of [
    [PROFILE, 'address'],
    [MADE_WITH_PHONE, 'phone'],
  ] as const) {
    const written = plainFields(fields)
    const { email, name, phone } = written
    expect(read(profileSchema(instant), OWNER, fields)).toEqual({
      ...{ email, name, phone },
      subscription: EMPTY_SUBSCRIPTION,
    })
    expect(read(ownershipSchema(instant), OWNER, fields)).toMatchObject({ madeWith })
  }
})

test('a contact, an identity file and a submission too', () => {
  const { name, phone, userId } = plainFields(CONTACT)
  expect(read(contactSchema(instant), 'c1', CONTACT)).toMatchObject({ id: 'c1', name, phone, userId })
  const { fileName, fullName, downloadUrl } = plainFields(FILE)
  expect(read(identityFileSchema(instant), FILE_ID, FILE)).toMatchObject({
    ...{ id: FILE_ID, fileName, status: 'pending', createdAt: NOW },
  })
  expect(read(submittedIdentitySchema, FILE_ID, FILE)).toMatchObject({ fileName, fullName, downloadUrl })
  expect(read(submissionSchema, OWNER, submission(FILE_ID, 2))).toEqual({ name: FILE_ID, count: 2 })
})
