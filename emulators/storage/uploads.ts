import { randomUUID } from 'node:crypto'
import type { CallerIdentity } from '../emulator.ts'
import type { ObjectMetadata } from './objects.ts'

/** Each chunk except the last must be a multiple of this size. */
export const CHUNK_GRANULARITY = 256 * 1024

export interface Upload {
  readonly id: string
  readonly bucket: string
  readonly name: string
  readonly descriptions: ObjectMetadata
  /** Any client that knows the upload's ID can continue it as this caller. */
  readonly identity: CallerIdentity
  received: Buffer
  status: 'active' | 'final' | 'cancelled'
}

export function createUploadStore() {
  const uploads = new Map<string, Upload>()
  return {
    begin(about: Pick<Upload, 'bucket' | 'name' | 'descriptions' | 'identity'>): Upload {
      const upload: Upload = { ...about, id: randomUUID(), received: Buffer.alloc(0), status: 'active' }
      uploads.set(upload.id, upload)
      return upload
    },
    get: (id: string): Upload | null => uploads.get(id) ?? null,
    reset: () => uploads.clear(),
  }
}

export type UploadStore = ReturnType<typeof createUploadStore>

export function findChunkProblem({ received }: Upload, piece: Buffer, offset: number, isLast: boolean) {
  if (offset !== received.length)
    return `The offset is ${offset}, but ${received.length} bytes were received.`
  if (!isLast && piece.length % CHUNK_GRANULARITY !== 0)
    return `A chunk must be a multiple of ${CHUNK_GRANULARITY} bytes.`
  return null
}
