import type { Clock, IdentifyCaller, ReportUnknown } from '../emulator.ts'
import type { Rules } from '../rules/rules.ts'
import type { WireFields } from '../wire.ts'
import { createStorageHttp, type Upload } from './http.ts'
import { createObjectStore } from './objects.ts'

export interface StorageOptions {
  readonly clock: Clock
  readonly identify: IdentifyCaller
  readonly rules: Rules
  /** Such as 'files/abc'; null if the document doesn't exist. */
  readonly documentFields: (path: string) => WireFields | null
  readonly reportUnknown: ReportUnknown
}

export type StorageEmulator = ReturnType<typeof createStorageEmulator>

/** Emulates the REST API, version 0, that `firebase/storage` uses. Data lives in memory. */
export function createStorageEmulator(options: StorageOptions) {
  const objects = createObjectStore(options.clock)
  const uploads = new Map<string, Upload>()
  /** With the content in base64. */
  const dumpObjects = () => ({
    objects: objects.all().map((object) => ({ ...object, content: object.content.toString('base64') })),
  })
  return {
    app: createStorageHttp({ ...options, objects, uploads }),
    reset() {
      objects.replaceAll([])
      uploads.clear()
    },
    objects: objects.all,
    dump: dumpObjects,
    load: (dump: ReturnType<typeof dumpObjects>) =>
      objects.replaceAll(
        dump.objects.map((object) => ({ ...object, content: Buffer.from(object.content, 'base64') })),
      ),
  }
}
