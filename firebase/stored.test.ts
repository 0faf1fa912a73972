import type { WireFields, WireValue } from 'service-emulators/firestore'
import { expect, test } from 'vitest'
import { EMPTY_SUBSCRIPTION } from '../domain/plans.ts'
import type { Reader } from '../domain/read.ts'
import * as stored from '../domain/stored.ts'
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

const instant = stored.instantWith((value) => (value instanceof Date ? value.getTime() : null))

function plain(value: WireValue): unknown {
  if ('mapValue' in value) return plainFields(value.mapValue.fields ?? {})
  if ('timestampValue' in value) return new Date(value.timestampValue)
  if ('integerValue' in value) return Number(value.integerValue)
  return Object.values(value)[0]
}

const plainFields = (fields: WireFields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(value)]))

const read = <T>(reader: Reader<T>, id: string, fields: WireFields): T =>
  reader({ ...plainFields(fields), id })

test('a profile that the rules accept is read as it was written', () => {
  for (const [fields, madeWith] of [
    [PROFILE, 'address'],
    [MADE_WITH_PHONE, 'phone'],
  ] as const) {
    const written = plainFields(fields)
    const { email, name, phone } = written
    expect(read(stored.profile(instant), OWNER, fields)).toEqual({
      ...{ email, name, phone },
      subscription: EMPTY_SUBSCRIPTION,
    })
    expect(read(stored.ownership(instant), OWNER, fields)).toMatchObject({ madeWith })
  }
})

test('a contact, an identity file and a submission too', () => {
  const { name, phone, userId } = plainFields(CONTACT)
  expect(read(stored.contact(instant), 'c1', CONTACT)).toMatchObject({ id: 'c1', name, phone, userId })
  const { fileName, fullName, downloadUrl } = plainFields(FILE)
  expect(read(stored.identityFile(instant), FILE_ID, FILE)).toMatchObject({
    ...{ id: FILE_ID, fileName, status: 'pending', createdAt: NOW },
  })
  expect(read(stored.submittedIdentity, FILE_ID, FILE)).toMatchObject({ fileName, fullName, downloadUrl })
  expect(read(stored.submission, OWNER, submission(FILE_ID, 2))).toEqual({ name: FILE_ID, count: 2 })
})
