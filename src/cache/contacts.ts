import type { Contact } from '../../domain/people/contact.ts'
import { type UserDatabase, withRows } from './database.ts'

/** A contact that changed here during the request is newer and is kept. */
export async function mergeContacts(
  uid: string,
  fetchThem: () => Promise<readonly Contact[]>,
): Promise<void> {
  const before = await withRows(uid, contactsById)
  const fetched = await fetchThem()
  await withRows(uid, (database) =>
    database.transaction('rw', database.contacts, async () => {
      const now = await contactsById(database)
      const isUntouched = (id: string) => isSame(before.get(id), now.get(id))
      const wanted = new Set(fetched.map(({ id }) => id))
      await database.contacts.bulkPut(fetched.filter(({ id }) => isUntouched(id)))
      await database.contacts.bulkDelete([...now.keys()].filter((id) => !wanted.has(id) && isUntouched(id)))
    }),
  )
}

const contactsById = async ({ contacts }: UserDatabase): Promise<ReadonlyMap<string, Contact>> =>
  new Map((await contacts.toArray()).map((contact) => [contact.id, contact]))

const isSame = (one: Contact | undefined, other: Contact | undefined) =>
  one?.name === other?.name && one?.phone === other?.phone
