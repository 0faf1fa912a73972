import 'fake-indexeddb/auto'
import { Dexie } from 'dexie'
import { expect, test } from 'vitest'
import { EMPTY_SUBSCRIPTION } from '../domain/plans.ts'
import { databaseOf, forgetUser } from './database.ts'
import { welcomeUser } from './presence.ts'

const profile = (uid: string) => ({
  uid,
  email: null,
  name: uid,
  phone: null,
  subscription: EMPTY_SUBSCRIPTION,
})

test('each person has a database of their own', async () => {
  await databaseOf('ada').profiles.put(profile('ada'))
  expect(await databaseOf('bea').profiles.toArray()).toEqual([])
  expect(await databaseOf('ada').profiles.toArray()).toEqual([profile('ada')])
})

test('forgetting a person leaves no database of theirs and keeps the others', async () => {
  await databaseOf('ada').profiles.put(profile('ada'))
  await databaseOf('bea').profiles.put(profile('bea'))
  await forgetUser('bea')
  expect(await Dexie.getDatabaseNames()).toEqual(['passerelle-ada'])
})

test('a late answer for somebody who left is dropped, and they can come back', async () => {
  await databaseOf('cleo').profiles.put(profile('cleo'))
  await forgetUser('cleo')
  expect(() => databaseOf('cleo')).toThrow('left the device')
  expect(await Dexie.getDatabaseNames()).not.toContain('passerelle-cleo')
  welcomeUser('cleo')
  expect(await databaseOf('cleo').profiles.toArray()).toEqual([])
})
