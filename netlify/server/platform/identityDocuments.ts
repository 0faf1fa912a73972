import { createStorageClient, type StorageSettings } from './storage.ts'

export interface IdentityDocuments {
  /** A document that is already gone counts as deleted. */
  removeAll(uid: string): Promise<void>
  read(path: string): Promise<Uint8Array | null>
  /** Revokes the download URLs, which work for anyone who has them. */
  sealAll(uid: string): Promise<void>
}

const PAGE_SIZE = 20
/** The largest page that the storage lists; no user has so many documents. */
const ALL = 1000

/** Each call throws if the storage does not answer in time; calling again is safe. */
export function createIdentityDocumentsClient(settings: StorageSettings): IdentityDocuments {
  const { list, read, change } = createStorageClient(settings)
  const getFolder = (uid: string) => `identity/${uid}/`
  const withoutLinks = { metadata: { firebaseStorageDownloadTokens: null } }
  return {
    read,
    async sealAll(uid) {
      for (const { name } of await list(getFolder(uid), ALL)) await change('PATCH', name, withoutLinks)
    },
    async removeAll(uid) {
      const prefix = getFolder(uid)
      for (let page = await list(prefix, PAGE_SIZE); page.length > 0; page = await list(prefix, PAGE_SIZE))
        await Promise.all(page.map(({ name }) => change('DELETE', name)))
    },
  }
}
