import type { Clock, Emulator, Identify, ReportUnknown } from '../emulator.ts'
import type { Rules } from '../rules/rules.ts'
import type { WireFields } from '../wire.ts'
import { createHttp } from './http.ts'
import { createObjects, type StoredObject } from './objects.ts'
import { createUploads } from './uploads.ts'

export interface StorageOptions {
  readonly clock: Clock
  readonly identify: Identify
  /** Bind everybody but admins. */
  readonly rules: Rules
  /** A document of the project's database ('files/abc'), which the rules may ask for; null when there is none. */
  readonly documentFields: (path: string) => WireFields | null
  readonly reportUnknown: ReportUnknown
}

/** All objects, their content in Base64. */
export interface StorageDump {
  readonly objects: readonly (Omit<StoredObject, 'content'> & { readonly content: string })[]
}

export interface Storage extends Emulator {
  objects(): readonly StoredObject[]
  dump(): StorageDump
  /** Replaces everything with what `dump` gave. */
  load(dump: StorageDump): void
}

/**
 * Stands in for Cloud Storage for Firebase behind its REST API, version 0: what `firebase/storage` speaks. Uploads in one
 * request and in pieces, metadata, downloads by token, deletion. Data lives in memory.
 */
export function createStorage(options: StorageOptions): Storage {
  const objects = createObjects(options.clock)
  const uploads = createUploads()
  return {
    app: createHttp({ ...options, objects, uploads }),
    reset() {
      objects.replaceAll([])
      uploads.reset()
    },
    objects: objects.all,
    dump: () => ({
      objects: objects.all().map((object) => ({ ...object, content: object.content.toString('base64') })),
    }),
    load: (dump) =>
      objects.replaceAll(
        dump.objects.map((object) => ({ ...object, content: Buffer.from(object.content, 'base64') })),
      ),
  }
}
