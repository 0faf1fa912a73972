import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Contact } from '../../domain/people/contact.ts'
import { mergeContacts } from './contacts.ts'
import { forgetUser, withRows } from './database.ts'
import { unmarkSignedOut } from './signedOutUsers.ts'

const contact = (id: string, name = id): Contact => ({
  id,
  userId: 'ana',
  name,
  phone: `+22462000000${id}`,
  createdAt: 1,
})

const kept = async (uid: string) => withRows(uid, ({ contacts }) => contacts.orderBy('id').toArray())

let people = 0
const somebody = () => {
  people += 1
  return `contacts-${people}`
}

test('mergeContacts replaces the contacts on the device with the fetched ones', async () => {
  const uid = somebody()
  await mergeContacts(uid, async () => [contact('1'), contact('2')])
  expect(await kept(uid)).toEqual([contact('1'), contact('2')])
  await mergeContacts(uid, async () => [contact('2', 'Mariama'), contact('3')])
  expect(await kept(uid)).toEqual([contact('2', 'Mariama'), contact('3')])
})

test('mergeContacts keeps the contacts on the device when fetching fails', async () => {
  const uid = somebody()
  await mergeContacts(uid, async () => [contact('1')])
  await expect(mergeContacts(uid, () => Promise.reject(new Error('cut')))).rejects.toThrow('cut')
  expect(await kept(uid)).toEqual([contact('1')])
})

test('mergeContacts discards the contacts of a user who signed out', async () => {
  const uid = somebody()
  const late = mergeContacts(uid, async () => {
    await forgetUser(uid)
    return [contact('1')]
  })
  await expect(late).rejects.toThrow('signed out of this device')
  unmarkSignedOut(uid)
  expect(await kept(uid)).toEqual([])
})

test('mergeContacts keeps changes made during a request until the server agrees', async () => {
  const id = fc.constantFrom('1', '2', '3', '4')
  const change = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), id, name: fc.constantFrom('Awa', 'Binta') }),
    fc.record({ kind: fc.constant('remove' as const), id, name: fc.constant(undefined) }),
  )
  const step = fc.record({
    change,
    isHere: fc.boolean(),
    when: fc.constantFrom('quiet', 'beforeAnswer', 'afterAnswer'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const uid = somebody()
      const server = new Map<string, Contact>()
      const apply = async ({ change: does, isHere }: (typeof steps)[number]) => {
        const known = (await kept(uid)).find((row) => row.id === does.id)
        if (isHere && does.name === known?.name) return
        const made = does.kind === 'add' ? contact(does.id, does.name) : null
        if (made) server.set(does.id, made)
        else server.delete(does.id)
        if (!isHere) return
        // The app changes the server first, then the device.
        await withRows(uid, async ({ contacts }) => {
          if (made) await contacts.put(made)
          else await contacts.delete(does.id)
        })
      }
      for (const one of steps) {
        if (one.when === 'quiet') await apply(one)
        await mergeContacts(uid, async () => {
          if (one.when === 'beforeAnswer') await apply(one)
          const answer = [...server.values()]
          if (one.when === 'afterAnswer') await apply(one)
          return answer
        })
        if (one.isHere)
          expect((await kept(uid)).find((row) => row.id === one.change.id)).toEqual(server.get(one.change.id))
      }
      await mergeContacts(uid, async () => [...server.values()])
      const wanted = [...server.values()].sort((a, b) => a.id.localeCompare(b.id))
      expect(await kept(uid)).toEqual(wanted)
      await forgetUser(uid)
    }),
    { numRuns: 60 },
  )
})
