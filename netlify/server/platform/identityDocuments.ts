import { z } from 'zod'
import { asAdministrator } from './google.ts'
import type { Settings } from './settings.ts'

/** The identity documents in the storage, as its administrator sees them. */
export interface IdentityDocuments {
  /** Deletes every document of a user. What is gone already counts as deleted. */
  removeAll(uid: string): Promise<void>
  /** Keeps every document of a user, and ends the addresses by which anybody who knows them could read it. */
  sealAll(uid: string): Promise<void>
}

const PAGE_SIZE = 20
/** The most that the storage lists at once; nobody has so many documents. */
const ALL = 1000

const listed = z.object({ items: z.array(z.object({ name: z.string() })).optional() })

/** Throws when the storage refuses or does not answer in time; calling again is safe. */
export function identityDocumentsOf(
  settings: Pick<Settings, 'projectId' | 'serviceAccount' | 'storageBucket' | 'storageHost'>,
): IdentityDocuments {
  const { storageBucket, storageHost } = settings
  const service = storageHost ? `http://${storageHost}` : 'https://storage.googleapis.com'
  const objects = `${service}/storage/v1/b/${encodeURIComponent(storageBucket)}/o`
  const ask = asAdministrator(settings, storageHost !== null)

  const list = async (prefix: string, maxResults = PAGE_SIZE): Promise<string[]> => {
    const query = new URLSearchParams({ prefix, maxResults: String(maxResults) })
    const response = await ask('GET', `${objects}?${query}`)
    if (!response.ok) throw failed(response)
    return (listed.parse(await response.json()).items ?? []).map(({ name }) => name)
  }
  const remove = async (name: string) => {
    const response = await ask('DELETE', `${objects}/${encodeURIComponent(name)}`)
    if (!response.ok && response.status !== 404) throw failed(response)
  }
  const seal = async (name: string) => {
    const metadata = { firebaseStorageDownloadTokens: null }
    const response = await ask('PATCH', `${objects}/${encodeURIComponent(name)}`, { metadata })
    if (!response.ok && response.status !== 404) throw failed(response)
  }
  const placeOf = (uid: string) => `identity/${uid}/`

  return {
    async sealAll(uid) {
      for (const name of await list(placeOf(uid), ALL)) await seal(name)
    },
    async removeAll(uid) {
      const prefix = placeOf(uid)
      for (let names = await list(prefix); names.length > 0; names = await list(prefix))
        await Promise.all(names.map(remove))
    },
  }
}

const failed = ({ status }: Response) => new Error(`The storage answered ${status}`)
