import { array, object, optional, string } from '../../../domain/schema.ts'
import { createAdminFetch } from './google.ts'
import type { Settings } from './settings.ts'

/** The identity documents in Cloud Storage, accessed as its administrator. */
export interface IdentityDocuments {
  /** Deletes every document of a user. A document that is already gone counts as deleted. */
  removeAll(uid: string): Promise<void>
  /** Reads a document by its path; null if there is none. */
  read(path: string): Promise<Uint8Array | null>
  /** Keeps every document of a user, but revokes the download URLs, which work for anyone who has them. */
  sealAll(uid: string): Promise<void>
}

const PAGE_SIZE = 20
/** The largest page that the storage lists; no user has so many documents. */
const ALL = 1000

const listed = object({ items: optional(array(object({ name: string }))) })

/**
 * Creates the client of the storage. Each call throws if the storage refuses or does not answer in time;
 * calling again is safe.
 */
export function createIdentityDocumentsClient(
  settings: Pick<Settings, 'projectId' | 'serviceAccount' | 'storageBucket' | 'storageHost'>,
): IdentityDocuments {
  const { storageBucket, storageHost } = settings
  const service = storageHost ? `http://${storageHost}` : 'https://storage.googleapis.com'
  const objects = `${service}/storage/v1/b/${encodeURIComponent(storageBucket)}/o`
  const ask = createAdminFetch(settings, storageHost !== null)

  const list = async (prefix: string, maxResults = PAGE_SIZE): Promise<string[]> => {
    const query = new URLSearchParams({ prefix, maxResults: String(maxResults) })
    const response = await ask('GET', `${objects}?${query}`)
    if (!response.ok) throw failed(response)
    return (listed(await response.json()).items ?? []).map(({ name }) => name)
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
    async read(path) {
      const response = await ask('GET', `${objects}/${encodeURIComponent(path)}?alt=media`)
      if (response.status === 404) return null
      if (!response.ok) throw failed(response)
      return new Uint8Array(await response.arrayBuffer())
    },
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
