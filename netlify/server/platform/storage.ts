import * as v from 'valibot'
import { createAdminFetch } from './google.ts'
import type { Settings } from './settings.ts'

export type StorageSettings = Pick<Settings, 'projectId' | 'serviceAccount' | 'storageBucket' | 'storageHost'>

export interface StorageClient {
  /** A generation is new for each upload. */
  list(
    prefix: string,
    maxResults: number,
  ): Promise<readonly { readonly name: string; readonly generation: string }[]>
  read(name: string): Promise<Uint8Array | null>
  /** Succeeds if the object no longer exists. */
  change(method: 'DELETE' | 'PATCH', name: string, body?: object): Promise<void>
}

const listed = v.object({
  items: v.exactOptional(v.array(v.object({ name: v.string(), generation: v.string() }))),
})

/** Each call throws if the storage does not answer in time; calling again is safe. */
export function createStorageClient(settings: StorageSettings): StorageClient {
  const { storageBucket, storageHost } = settings
  const service = storageHost ? `http://${storageHost}` : 'https://storage.googleapis.com'
  const objects = `${service}/storage/v1/b/${encodeURIComponent(storageBucket)}/o`
  const ask = createAdminFetch(settings, storageHost !== null)
  return {
    async list(prefix, maxResults) {
      const query = new URLSearchParams({ prefix, maxResults: String(maxResults) })
      const response = await ask('GET', `${objects}?${query}`)
      if (!response.ok) throw failed(response)
      return v.parse(listed, await response.json()).items ?? []
    },
    async read(name) {
      const response = await ask('GET', `${objects}/${encodeURIComponent(name)}?alt=media`)
      if (response.status === 404) return null
      if (!response.ok) throw failed(response)
      return new Uint8Array(await response.arrayBuffer())
    },
    async change(method, name, body) {
      const response = await ask(method, `${objects}/${encodeURIComponent(name)}`, body)
      if (!response.ok && response.status !== 404) throw failed(response)
    },
  }
}

const failed = ({ status }: Response) => new Error(`The storage answered ${status}`)
